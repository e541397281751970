package bot;

/** A bot for arena: without arguments it plays Cucu, with "random" any game by chance. */
public final class Main {
    private Main() {}

    public static void main(String[] words) {
        Referee.run(
                switch (words.length > 0 ? words[0] : "") {
                    case "random" -> new RandomBot();
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
}
