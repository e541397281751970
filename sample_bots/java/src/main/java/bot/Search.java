package bot;

import java.time.Duration;

/**
 * How to evaluate or search: in so many worlds, for so long, or with neither as the clock of the
 * match allows.
 *
 * @param worlds the most worlds; 0: any number
 * @param time the most time; zero: no limit of its own
 * @param policy who plays in playouts: "base" (by rules of thumb, where a package has them for the
 *     game, else learnt), "learnt" (what has done well in the playouts before), "random", or a
 *     sample bot that plays the game; empty: base
 * @param observers of {@link Position#search} alone: whose eyes tell nodes of the tree apart,
 *     "every" or "own"; empty: every
 * @param mostNodes of {@link Position#search} alone: how many nodes the tree may have; 0: 50,000
 */
public record Search(int worlds, Duration time, String policy, String observers, int mostNodes) {
    /** Goes on for as long as the clock of the match allows. */
    public Search() {
        this(0, Duration.ZERO, "");
    }

    /** Leaves the tree of a search as it is by default. */
    public Search(int worlds, Duration time, String policy) {
        this(worlds, time, policy, "", 0);
    }
}
