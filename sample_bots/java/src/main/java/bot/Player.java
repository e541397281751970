package bot;

import referee.v1.Play.Question;

/** Returns the index of a move in {@code question.getLegalList()}; {@code question.getView()} holds the game's view. */
@FunctionalInterface
public interface Player {
    int choose(Question question, Match match) throws Exception;
}
