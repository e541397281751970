package bot;

import java.time.Duration;

/**
 * How long to evaluate: in so many worlds, for so long, or with neither as the clock of the match
 * allows.
 *
 * @param worlds the most worlds; 0: any number
 * @param time the most time; zero: no limit of its own
 * @param policy who plays in playouts: "random", or a sample bot that plays the game; empty: random
 */
public record Search(int worlds, Duration time, String policy) {
    /** Evaluates for as long as the clock of the match allows, with random playouts. */
    public Search() {
        this(0, Duration.ZERO, "");
    }
}
