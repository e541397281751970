package bot;

/**
 * A bot for arena: without arguments it plays Cucu, with "random" any game by chance, with
 * "searcher" by looking ahead.
 */
public final class Main {
    private Main() {}

    public static void main(String[] words) {
        Referee.run(
                switch (words.length > 0 ? words[0] : "") {
                    case "random" -> new RandomBot();
                    case "searcher" -> new Searcher();
                    case "conformance" -> new Conformance();
                    default -> new Cucu();
                });
    }

    private static final class RandomBot implements Bot<Void> {
        @Override
        public String name() {
            return "java-random";
        }

        @Override
        public String choose(Question<Void> question) {
            return question.legal().get(question.match().random().nextInt(question.legal().size()));
        }
    }

    /**
     * Plays the move that turns out best in playouts, for as long as the clock of the match allows.
     */
    private static final class Searcher implements Bot<Void> {
        @Override
        public String name() {
            return "java-searcher";
        }

        @Override
        public int matchesAtOnce() {
            return 1;
        }

        @Override
        public boolean wantsPositions() {
            return true;
        }

        @Override
        public String choose(Question<Void> question) {
            try {
                var found = question.position().evaluate(new Search());
                question.note(found.getNote());
                return found.getBest();
            } catch (ModelFailure failure) {
                question.note(failure.getMessage());
                return new RandomBot().choose(question);
            }
        }
    }
}
