package bot;

import java.util.Random;
import referee.v1.Play.MatchStart;

/** One match of ours. All chance that a bot uses should come from {@code random}: it makes a match play the same again. */
public record Match(MatchStart start, Random random) {
    static Match of(MatchStart start) {
        long seed = 0;
        for (int place = 0; place < Math.min(8, start.getBotSeed().size()); place++) {
            seed = seed << 8 | start.getBotSeed().byteAt(place) & 0xff;
        }
        return new Match(start, new Random(seed));
    }
}
