package bot;

import referee.v1.Play.MatchStart;

import java.util.List;
import java.util.Random;

/**
 * One match of the bot, from its start to its end.
 *
 * @param <M> what the bot keeps for it
 */
public final class Match<M> {
    private final MatchStart start;
    private final Random random;
    private M memory;
    private List<String> events = List.of();

    Match(MatchStart start) {
        this.start = start;
        long seed = 0;
        for (int place = 0; place < Math.min(8, start.getBotSeed().size()); place++) {
            seed = seed << 8 | start.getBotSeed().byteAt(place) & 0xff;
        }
        random = new Random(seed);
    }

    /** Returns what the referee tells of it: game, options, seats, own seat, names, times. */
    public MatchStart start() {
        return start;
    }

    /**
     * Returns the only chance that a bot should use: it makes the same match play the same again.
     */
    public Random random() {
        return random;
    }

    /** Returns what was set last; null if nothing was. */
    public M memory() {
        return memory;
    }

    /** Sets what the bot keeps for this match. */
    public void setMemory(M memory) {
        this.memory = memory;
    }

    /**
     * Returns the rest of the log, once the match has ended (only with {@link Bot#wantsEvents}).
     */
    public List<String> events() {
        return events;
    }

    void end(List<String> rest) {
        events = rest;
    }
}
