package bot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.ListValue;
import com.google.protobuf.Struct;
import com.google.protobuf.UnknownFieldSet;
import com.google.protobuf.util.JsonFormat;
import io.grpc.stub.StreamObserver;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import referee.v1.Play;
import referee.v1.Play.Answer;
import referee.v1.Play.MatchEnd;
import referee.v1.Play.MatchStart;
import referee.v1.Play.Question;
import referee.v1.Play.Turns;

/** The messages of the protocol's vectors are read and written, and questions are answered by their numbers. */
class VectorsTest {
    private static final Map<String, Descriptor> KNOWN = Map.of(
            "referee.v1.PlayRequest", Play.PlayRequest.getDescriptor(),
            "referee.v1.PlayResponse", Play.PlayResponse.getDescriptor());

    @Test
    void vectorsAreDecodedAndEncoded() throws Exception {
        var file = Struct.newBuilder();
        JsonFormat.parser().merge(Files.readString(Path.of("../../protos/vectors/vectors.json")), file);
        ListValue vectors = file.getFieldsOrThrow("vectors").getListValue();
        assertTrue(vectors.getValuesCount() > 10);
        for (var value : vectors.getValuesList()) {
            var vector = value.getStructValue();
            Descriptor type = KNOWN.get(vector.getFieldsOrThrow("message").getStringValue());
            if (type == null) {
                continue; // the view of a game that is not compiled in
            }
            String name = vector.getFieldsOrThrow("name").getStringValue();
            var told = DynamicMessage.newBuilder(type);
            JsonFormat.parser().merge(JsonFormat.printer().print(vector.getFieldsOrThrow("json")), told);
            byte[] bytes = Base64.getDecoder().decode(vector.getFieldsOrThrow("bytes").getStringValue());
            var decoded = DynamicMessage.parseFrom(type, bytes).toBuilder();
            assertEquals(told.build(), decoded.setUnknownFields(UnknownFieldSet.getDefaultInstance()).build(), name);
            assertEquals(told.build(), DynamicMessage.parseFrom(type, told.build().toByteArray()), name);
        }
    }

    @Test
    void answersCarryTheNumbersOfTheirQuestions() throws Exception {
        Player player = (question, match) -> match.start().getMatch() == 1 ? question.getLegalCount() - 1 : 0;
        var referee = new Referee(player, null);
        var turns = Turns.newBuilder()
                .addStarts(MatchStart.newBuilder().setMatch(1))
                .addStarts(MatchStart.newBuilder().setMatch(2))
                .addQuestions(Question.newBuilder().setId(7).setMatch(2).addLegal("keep").addLegal("exchange"))
                .addQuestions(Question.newBuilder().setId(-1).setMatch(1).addLegal("pass").addLegal("cuckoo"));
        var answers = referee.answer(turns.build());
        assertEquals(7, answers.getAnswers(0).getQuestion());
        assertTrue(answers.getAnswers(0).hasIndex());
        assertEquals(-1, answers.getAnswers(1).getQuestion(), "all 64 bits, which Java shows as -1");
        assertEquals(1, answers.getAnswers(1).getIndex());
        referee.answer(Turns.newBuilder().addEnds(MatchEnd.newBuilder().setMatch(1)).build());
        assertEquals(1, referee.matchesUnderWay());
    }

    @Test
    void aBotGetsReadyForTheMatchesWhoseStartAsksForIt() throws Exception {
        var prepared = new CompletableFuture<Integer>();
        var said = new CompletableFuture<Answer>();
        var referee = new Referee((question, match) -> 0, match -> prepared.complete(match.start().getMatch()));
        referee.sayTo(new StreamObserver<>() {
            @Override
            public void onNext(Play.PlayRequest request) {
                said.complete(request.getAnswers().getAnswers(0));
            }

            @Override
            public void onError(Throwable error) {}

            @Override
            public void onCompleted() {}
        });
        var starts = Turns.newBuilder()
                .addStarts(MatchStart.newBuilder().setMatch(1).setReadyQuestion(-1))
                .addStarts(MatchStart.newBuilder().setMatch(2));
        assertEquals(0, referee.answer(starts.build()).getAnswersCount());
        assertEquals(1, prepared.get());
        assertEquals(-1, said.get().getQuestion());
        assertTrue(said.get().hasIndex());
        var asked = Turns.newBuilder().addQuestions(Question.newBuilder().setId(7).setMatch(1).addLegal("keep"));
        assertEquals(7, referee.answer(asked.build()).getAnswers(0).getQuestion());
    }
}
