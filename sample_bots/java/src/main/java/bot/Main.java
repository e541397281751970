package bot;

import java.util.List;
import java.util.concurrent.ExecutionException;

/** A bot for arena: without arguments it plays Cucu, with "random" any game by chance. */
public final class Main {
    private Main() {}

    public static void main(String[] words) {
        try {
            if (words.length > 0 && words[0].equals("random")) {
                Referee.play("java-random", List.of(), (question, match) -> match.random().nextInt(question.getLegalCount()));
            } else {
                Referee.play("java-careful", List.of("cucu"), Cucu::choose);
            }
        } catch (ExecutionException error) {
            fail(error.getCause());
        } catch (Exception error) {
            fail(error);
        }
        System.exit(0);
    }

    private static void fail(Throwable error) {
        System.err.println(error.getMessage());
        System.exit(1);
    }
}
