package bot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

import referee.v1.Play;
import referee.v1.Play.Answer;
import referee.v1.Play.MatchEnd;
import referee.v1.Play.MatchStart;
import referee.v1.Play.Turns;

import java.util.ArrayList;
import java.util.List;

/**
 * Questions are answered by their numbers, matches are started, remembered and ended, failures are
 * told.
 */
class PlayerTest {
    private final List<String> told = new ArrayList<>();
    private final List<Answer> answers = new ArrayList<>();
    private final Player<Integer> player =
            new Player<>(new Owl(), sent -> answers.addAll(sent.getAnswersList()), null);

    private final class Owl implements Bot<Integer> {
        @Override
        public String name() {
            return "owl";
        }

        @Override
        public void matchStarted(Match<Integer> match) {
            match.setMemory(0);
            told.add("started " + match.start().getMatch());
        }

        @Override
        public String choose(Question<Integer> question) {
            if (question.legal().contains("throw")) {
                throw new IllegalStateException("a mistake on purpose");
            }
            question.match().setMemory(question.match().memory() + 1);
            question.note("x" + "é".repeat(600));
            question.say("hello");
            return question.legal().get(question.match().memory());
        }

        @Override
        public void matchEnded(Match<Integer> match, List<Integer> scores, List<Integer> ranks) {
            told.add("ended " + match.memory() + match.events() + scores + ranks);
        }
    }

    private static Play.Question ask(long id, int match, String... legal) {
        return Play.Question.newBuilder()
                .setId(id)
                .setMatch(match)
                .addAllLegal(List.of(legal))
                .build();
    }

    private static MatchStart start(int match) {
        return MatchStart.newBuilder().setMatch(match).build();
    }

    @Test
    void answersCarryTheNumbersOfTheirQuestionsAndMatchesTheirMemory() throws Exception {
        player.take(
                Turns.newBuilder()
                        .addStarts(start(1))
                        .addStarts(start(2))
                        .addQuestions(ask(7, 2, "a", "b", "c"))
                        .build());
        var end =
                MatchEnd.newBuilder()
                        .setMatch(2)
                        .addScores(3)
                        .addScores(-4)
                        .addRanks(1)
                        .addRanks(2)
                        .addEvents("over");
        player.take(
                Turns.newBuilder()
                        .addQuestions(ask(-1, 2, "a", "b", "c"))
                        .addQuestions(ask(9, 1, "a", "b"))
                        .addEnds(end)
                        .build());
        assertEquals(List.of(7L, -1L, 9L), answers.stream().map(Answer::getQuestion).toList());
        assertEquals(List.of(1, 2, 1), answers.stream().map(Answer::getIndex).toList());
        assertEquals("x" + "é".repeat(511), answers.get(0).getNote());
        assertEquals("hello", answers.get(0).getSay());
        assertEquals(List.of("started 1", "started 2", "ended 2[over][3, -4][1, 2]"), told);
    }

    @Test
    void aBotIsReadyOnceItHasStartedItsMatch() throws Exception {
        player.take(
                Turns.newBuilder()
                        .addStarts(start(1).toBuilder().setReadyQuestion(-1))
                        .addStarts(start(2))
                        .build());
        assertEquals(List.of("started 1", "started 2"), told);
        assertEquals(1, answers.size());
        assertEquals(-1, answers.get(0).getQuestion(), "all 64 bits, which Java shows as -1");
        assertTrue(answers.get(0).hasIndex());
    }

    @Test
    void whatABotThrowsIsToldAndEarlierAnswersAreSent() {
        var turns =
                Turns.newBuilder()
                        .addStarts(start(3))
                        .addQuestions(ask(7, 3, "a", "b"))
                        .addQuestions(ask(8, 3, "throw"));
        var failure = assertThrows(BotFailure.class, () -> player.take(turns.build()));
        assertEquals("owl failed in choose, in match 3", failure.getMessage());
        assertEquals("a mistake on purpose", failure.getCause().getMessage());
        assertEquals(List.of(7L), answers.stream().map(Answer::getQuestion).toList());
    }
}
