package bot;

import com.google.protobuf.ByteString;

import referee.v1.Play;

import java.util.List;

/**
 * A question: choose one of {@link #legal}.
 *
 * @param <M> what the bot keeps for a match
 */
public final class Question<M> {
    private final Play.Question asked;
    private final Match<M> match;
    private final ModelServer server;
    private String note = "";
    private String said = "";

    Question(Play.Question asked, Match<M> match, ModelServer server) {
        this.asked = asked;
        this.match = match;
        this.server = server;
    }

    /** Returns what to look ahead from (only with {@link Bot#wantsPositions}). */
    public Position position() {
        if (server == null) {
            throw new IllegalStateException("looking ahead needs wantsPositions() in the bot");
        }
        return new Position(asked.getMatch(), server);
    }

    /** Returns the match. */
    public Match<M> match() {
        return match;
    }

    /** Returns the texts of all legal moves. */
    public List<String> legal() {
        return asked.getLegalList();
    }

    /**
     * Returns all that the seat may see, as the bytes of the message that {@code
     * match().start().getViewType()} names.
     */
    public ByteString view() {
        return asked.getView();
    }

    /**
     * Returns the lines of the log since the last question of this match (only with {@link
     * Bot#wantsEvents}).
     */
    public List<String> events() {
        return asked.getEventsList();
    }

    /** Returns what is left of the match's time bank, in milliseconds. */
    public int bankMs() {
        return asked.getBankMs();
    }

    /** Returns the time charged for the previous answer of this match, in microseconds. */
    public int chargedUs() {
        return asked.getChargedUs();
    }

    /** Returns whether an earlier process of this bot failed to answer this question. */
    public boolean again() {
        return asked.getAgain();
    }

    /** Adds a line to the note of this answer, which the bot's owner finds in the replay. */
    public void note(String thought) {
        note = note.isEmpty() ? thought : note + "\n" + thought;
    }

    /**
     * Says something to the table with this answer, in games with table talk. It replaces what was
     * said before.
     */
    public void say(String words) {
        said = words;
    }

    String note() {
        return note;
    }

    String said() {
        return said;
    }
}
