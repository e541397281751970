package bot;

/** A method of the bot has thrown: the cause has the place in its code. */
public final class BotFailure extends Exception {
    private static final long serialVersionUID = 1;

    BotFailure(String where, Throwable thrown) {
        super(where, thrown);
    }
}
