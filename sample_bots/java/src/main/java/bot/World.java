package bot;

import referee.v1.Model;
import referee.v1.Model.DropRequest;
import referee.v1.Model.ModelRequest;
import referee.v1.Model.Step;
import referee.v1.Model.StepsRequest;
import referee.v1.Model.ViewRequest;
import referee.v1.Model.WorldView;

import java.util.List;

/** A complete state of a match. It is kept until it is dropped, or its question is answered. */
public final class World {
    private final Position position;
    private Model.World state;

    World(Model.World state, Position position) {
        this.state = state;
        this.position = position;
    }

    /**
     * Returns the world as it stands: its number, who is asked with the legal moves, scores and
     * ranks.
     */
    public Model.World state() {
        return state;
    }

    /** Plays a legal move of each seat that is asked, in their order. */
    public void play(String... moves) throws ModelFailure {
        state = step(moves, false);
    }

    /** Returns a copy of the world in which moves are played; the world stays as it is. */
    public World played(String... moves) throws ModelFailure {
        return new World(step(moves, true), position);
    }

    /**
     * Returns what a seat sees in the world, as in {@link Question#view}, and the lines of the log
     * since the question.
     */
    public WorldView view(int seat) throws ModelFailure {
        var request = ViewRequest.newBuilder().setWorld(state.getWorld()).setSeat(seat);
        return position.ask(ModelRequest.newBuilder().setView(request).build()).getView();
    }

    /** Makes room for other worlds. */
    public void drop() throws ModelFailure {
        position.ask(
                ModelRequest.newBuilder()
                        .setDrop(DropRequest.newBuilder().addWorlds(state.getWorld()))
                        .build());
    }

    private Model.World step(String[] moves, boolean copy) throws ModelFailure {
        var step =
                Step.newBuilder()
                        .setWorld(state.getWorld())
                        .addAllMoves(List.of(moves))
                        .setCopy(copy);
        var request =
                ModelRequest.newBuilder()
                        .setSteps(StepsRequest.newBuilder().addSteps(step))
                        .build();
        return position.ask(request).getWorlds().getWorlds(0);
    }
}
