package bot;

import java.util.List;

/**
 * A player: what it tells the referee of itself, and the methods that play. All are called one
 * after the other, in the thread that called {@link Referee#play}.
 *
 * @param <M> what the bot keeps for each match
 */
public interface Bot<M> {
    /** Returns what the bot calls itself, for its owner. */
    String name();

    /** Returns its version, for its owner. */
    default String version() {
        return "";
    }

    /** Returns the ids of the games that it plays; none: any game. */
    default List<String> games() {
        return List.of();
    }

    /** Returns the most matches that it plays at the same time; 0: no limit of its own. */
    default int matchesAtOnce() {
        return 0;
    }

    /**
     * Returns whether it gets the lines of the log: {@link Question#events} and, at the end, {@link
     * Match#events}.
     */
    default boolean wantsEvents() {
        return false;
    }

    /**
     * Returns whether the referee waits for {@link #matchStarted}: no clock runs until it returns,
     * but it has only {@code match.start().getReadyTimeMs()} milliseconds (0: no limit).
     */
    default boolean wantsReady() {
        return false;
    }

    /**
     * Returns whether it looks ahead, by {@link Question#position}: a model server is started
     * beside the bot.
     */
    default boolean wantsPositions() {
        return false;
    }

    /** Returns one of {@code question.legal()}. */
    String choose(Question<M> question) throws Exception;

    /**
     * Reacts to the start of a match, before its first question: the place to set the match's
     * memory.
     */
    default void matchStarted(Match<M> match) throws Exception {}

    /**
     * Reacts to the end of a match. Scores and ranks are by seat, and empty if the match did not
     * end by its rules.
     */
    default void matchEnded(Match<M> match, List<Integer> scores, List<Integer> ranks)
            throws Exception {}
}
