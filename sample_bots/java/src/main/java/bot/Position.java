package bot;

import referee.v1.Model.EvaluateRequest;
import referee.v1.Model.Evaluation;
import referee.v1.Model.ModelRequest;
import referee.v1.Model.ModelResponse;
import referee.v1.Model.SearchRequest;
import referee.v1.Model.WorldsRequest;

import java.util.ArrayList;
import java.util.List;

/**
 * A question as its seat knows it, to look ahead from. What is drawn and played from it ends with
 * the question.
 */
public final class Position {
    private final int match;
    private final ModelServer server;

    Position(int match, ModelServer server) {
        this.match = match;
        this.server = server;
    }

    /**
     * Plays each legal move in the same worlds, and these on. {@code getBest()} is the best move,
     * {@code getMovesList()} has the mean and the standard error of each, the best first, and
     * {@code getNote()} says so in a line.
     */
    public Evaluation evaluate(Search search) throws ModelFailure {
        var request =
                EvaluateRequest.newBuilder()
                        .setMatch(match)
                        .setWorlds(search.worlds())
                        .setTimeMs((int) search.time().toMillis())
                        .setPolicy(search.policy());
        return ask(ModelRequest.newBuilder().setEvaluate(request).build()).getEvaluation();
    }

    /**
     * Does the same by a tree search, whose tree grows where moves turn out well for whoever makes
     * them. It needs more playouts to be better than {@link #evaluate}.
     */
    public Evaluation search(Search search) throws ModelFailure {
        var request =
                SearchRequest.newBuilder()
                        .setMatch(match)
                        .setWorlds(search.worlds())
                        .setTimeMs((int) search.time().toMillis())
                        .setPolicy(search.policy())
                        .setObservers(search.observers())
                        .setMostNodes(search.mostNodes());
        return ask(ModelRequest.newBuilder().setSearch(request).build()).getEvaluation();
    }

    /** Draws worlds that the seat cannot tell from the real one. */
    public List<World> worlds(int count) throws ModelFailure {
        var request = WorldsRequest.newBuilder().setMatch(match).setCount(count);
        List<World> worlds = new ArrayList<>();
        for (var state :
                ask(ModelRequest.newBuilder().setWorlds(request).build())
                        .getWorlds()
                        .getWorldsList()) {
            worlds.add(new World(state, this));
        }
        return worlds;
    }

    /** Makes any request to the model server: the comments of ModelRequest say what there is. */
    public ModelResponse ask(ModelRequest request) throws ModelFailure {
        return server.ask(request);
    }
}
