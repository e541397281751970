package bot;

import com.google.protobuf.ByteString;

import referee.v1.Play;
import referee.v1.Play.Answer;
import referee.v1.Play.Answers;
import referee.v1.Play.MatchEnd;
import referee.v1.Play.MatchStart;
import referee.v1.Play.Turns;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/** Answers the questions of a stream. */
final class Player<M> {
    /** Finished answers are sent after this time at the latest, so that their clock stops. */
    private static final long FLUSH_AFTER_NANOS = 20_000_000;

    /** How many bytes of a note, of talk or of a move the protocol allows. */
    private static final int LONGEST_TEXT = 1024;

    private final Bot<M> bot;
    private final Consumer<Answers> send;
    private final ModelServer server; // null: the bot does not look ahead
    private final Map<Integer, Match<M>> matches = new HashMap<>();
    private Answers.Builder answers = Answers.newBuilder();
    private String doing = "";

    Player(Bot<M> bot, Consumer<Answers> send, ModelServer server) {
        this.bot = bot;
        this.send = send;
        this.server = server;
    }

    /**
     * Takes in what one message tells, and answers all its questions. Where the bot throws, earlier
     * answers are sent.
     */
    void take(Turns turns) throws BotFailure {
        try {
            play(server == null ? turns : server.hear(turns, bot.wantsEvents()));
        } catch (Throwable thrown) {
            flush(); // or the referee would ask again
            throw new BotFailure(bot.name() + " failed in " + doing, thrown);
        }
    }

    private void play(Turns turns) throws Exception {
        for (var start : turns.getStartsList()) {
            start(start);
        }
        long flushed = System.nanoTime();
        for (var asked : turns.getQuestionsList()) {
            answers.addAnswers(answer(asked));
            if (System.nanoTime() - flushed > FLUSH_AFTER_NANOS) {
                flush();
                flushed = System.nanoTime();
            }
        }
        flush();
        for (var end : turns.getEndsList()) {
            end(end);
        }
    }

    private void start(MatchStart start) throws Exception {
        var match = new Match<M>(start);
        matches.put(start.getMatch(), match);
        doing = "matchStarted, in match " + start.getMatch();
        bot.matchStarted(match);
        if (start.getReadyQuestion() != 0) {
            answers.addAnswers(
                    Answer.newBuilder().setQuestion(start.getReadyQuestion()).setIndex(0));
            flush();
        }
    }

    private Answer answer(Play.Question asked) throws Exception {
        var question = new Question<>(asked, matches.get(asked.getMatch()), server);
        doing = "choose, in match " + asked.getMatch();
        String move = bot.choose(question);
        var answer =
                Answer.newBuilder()
                        .setQuestion(asked.getId())
                        .setNote(cut(question.note()))
                        .setSay(cut(question.said()));
        int index = question.legal().indexOf(move);
        if (index >= 0) {
            return answer.setIndex(index).build();
        }
        System.err.printf(
                "choose returned \"%s\", not a legal move in match %d: return one of %s%n",
                move, asked.getMatch(), question.legal());
        return answer.setText(cut(String.valueOf(move))).build(); // the referee punishes it
    }

    private void end(MatchEnd end) throws Exception {
        var match = matches.remove(end.getMatch());
        match.end(end.getEventsList());
        doing = "matchEnded, in match " + end.getMatch();
        bot.matchEnded(match, end.getScoresList(), end.getRanksList());
    }

    private void flush() {
        if (answers.getAnswersCount() > 0) {
            var sent = answers.build();
            send.accept(sent);
            if (server != null) {
                server.tell(sent);
            }
            answers = Answers.newBuilder();
        }
    }

    /** Shortens a text to what the protocol allows, at the end of a character. */
    private static String cut(String text) {
        if (text.length() * 3 <= LONGEST_TEXT) {
            return text;
        }
        ByteString bytes = ByteString.copyFromUtf8(text);
        int end = Math.min(LONGEST_TEXT, bytes.size());
        while (end < bytes.size() && (bytes.byteAt(end) & 0xc0) == 0x80) {
            end--;
        }
        return bytes.substring(0, end).toStringUtf8();
    }
}
