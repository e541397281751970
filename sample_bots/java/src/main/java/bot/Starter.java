package bot;

/**
 * Gets ready for a match, as it loads a network or clears a large table: no clock runs until it returns, but it has only
 * {@code match.start().getReadyTimeMs()} milliseconds (0: no limit). It runs in a thread of its own.
 */
@FunctionalInterface
public interface Starter {
    void started(Match match) throws Exception;
}
