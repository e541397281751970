package bot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

import referee.v1.Model;
import referee.v1.Model.ModelError;
import referee.v1.Model.ModelRequest;
import referee.v1.Model.ModelResponse;
import referee.v1.Model.Worlds;
import referee.v1.Play;
import referee.v1.Play.MatchStart;
import referee.v1.Play.Turns;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A model server is told and asked in order, until it is gone. */
class ModelServerTest {
    private final ByteArrayOutputStream requests = new ByteArrayOutputStream();

    private ModelServer served(ModelResponse... responses) throws IOException {
        var ready = new ByteArrayOutputStream();
        for (var response : responses) {
            response.writeDelimitedTo(ready);
        }
        return new ModelServer(
                requests, new ByteArrayInputStream(ready.toByteArray()), () -> "exit code 137");
    }

    private List<ModelRequest> asked() throws IOException {
        var input = new ByteArrayInputStream(requests.toByteArray());
        List<ModelRequest> all = new ArrayList<>();
        while (input.available() > 0) {
            all.add(ModelRequest.parseDelimitedFrom(input));
        }
        return all;
    }

    private static ModelResponse world(long number) {
        var world = Model.World.newBuilder().setWorld(number);
        return ModelResponse.newBuilder().setWorlds(Worlds.newBuilder().addWorlds(world)).build();
    }

    @Test
    void itIsAskedUntilItIsGone() throws Exception {
        var error =
                ModelError.newBuilder()
                        .setReason(ModelError.Reason.REASON_LIMIT)
                        .setSentence("fewer");
        var server = served(world(7), world(8), ModelResponse.newBuilder().setError(error).build());
        var position = new Position(3, server);
        assertEquals(8, position.worlds(1).get(0).played("keep").state().getWorld());
        var failure = assertThrows(ModelFailure.class, () -> position.worlds(1_000_000));
        assertEquals("fewer", failure.getMessage());
        assertEquals(ModelError.Reason.REASON_LIMIT, failure.reason());
        for (int time = 0; time < 2; time++) {
            var gone = assertThrows(ModelFailure.class, () -> position.evaluate(new Search()));
            assertEquals(
                    "the model server is gone, the bot goes on without it: exit code 137",
                    gone.getMessage());
            assertEquals(ModelError.Reason.REASON_UNSPECIFIED, gone.reason());
        }
        assertEquals(4, asked().size());
        assertTrue(asked().get(1).getSteps().getSteps(0).getCopy());
    }

    @Test
    void turnsAndAnswersArePassedOnAndEventsComeBackAsLines() throws Exception {
        var question = Play.Question.newBuilder().setMatch(1).addLegal("keep").addEvents("[0,1]");
        var turns =
                Turns.newBuilder()
                        .addStarts(MatchStart.newBuilder().setMatch(1))
                        .addQuestions(question)
                        .build();
        var lines = turns.toBuilder();
        lines.getQuestionsBuilder(0).setEvents(0, "set 1 begins");
        List<List<String>> heard = new ArrayList<>();
        Bot<Void> bot =
                new Bot<>() {
                    @Override
                    public String name() {
                        return "owl";
                    }

                    @Override
                    public boolean wantsEvents() {
                        return true;
                    }

                    @Override
                    public String choose(Question<Void> question) {
                        heard.add(question.events());
                        return "keep";
                    }
                };
        var player =
                new Player<>(
                        bot,
                        sent -> {},
                        served(ModelResponse.newBuilder().setLines(lines).build()));
        player.take(turns);
        player.take(turns);
        assertEquals(List.of(List.of("set 1 begins"), List.of()), heard);
        assertEquals(3, asked().size());
        assertTrue(asked().get(0).hasLines());
        assertTrue(asked().get(1).hasAnswers());
    }
}
