package bot;

import referee.v1.Cucu.CucuView;

import java.util.List;

/** Plays Cucu by the odds of a single exchange. */
final class Cucu implements Bot<Void> {
    /** A card from here on is kept: of those in the pack more are weaker than stronger. */
    private static final int KEEP_FROM = 6;

    private static final List<String> WELCOME =
            List.of("enter", "stay", "refuse", "share 0", "no", "none", "decline");

    @Override
    public String name() {
        return "java-careful";
    }

    @Override
    public List<String> games() {
        return List.of("cucu");
    }

    @Override
    public String choose(Question<Void> question) throws Exception {
        List<String> legal = question.legal();
        for (String move : WELCOME) {
            if (legal.contains(move)) {
                return move;
            }
        }
        int card = CucuView.parseFrom(question.view()).getCard();
        question.note("holding " + card);
        String wanted = card >= KEEP_FROM ? "keep" : "exchange";
        return legal.contains(wanted) ? wanted : legal.get(0);
    }
}
