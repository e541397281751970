package bot;

import java.util.List;
import referee.v1.Cucu.CucuView;
import referee.v1.Play.Question;

/** Plays Cucu by the odds of a single exchange. */
final class Cucu {
    /** A card from here on is kept: of those in the pack more are weaker than stronger. */
    private static final int KEEP_FROM = 6;

    private static final List<String> WELCOME = List.of("enter", "stay", "refuse", "share 0", "no", "none", "decline");

    private Cucu() {}

    static int choose(Question question, Match match) throws Exception {
        List<String> legal = question.getLegalList();
        for (String move : WELCOME) {
            if (legal.contains(move)) {
                return legal.indexOf(move);
            }
        }
        boolean keep = CucuView.parseFrom(question.getView()).getCard() >= KEEP_FROM;
        return Math.max(0, legal.indexOf(keep ? "keep" : "exchange"));
    }
}
