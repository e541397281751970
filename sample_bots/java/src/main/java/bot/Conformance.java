package bot;

import referee.v1.Cambio.CambioView;
import referee.v1.Model.DropRequest;
import referee.v1.Model.ModelRequest;

import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Uses everything that the conversation offers: arena's test of all languages plays it. The first
 * legal move is what the test wants to see.
 */
final class Conformance implements Bot<Conformance.Memory> {
    static final class Memory {
        int asked;
    }

    @Override
    public String name() {
        return "conformance";
    }

    @Override
    public String version() {
        return "1.2.3";
    }

    @Override
    public List<String> games() {
        return List.of("cambio");
    }

    @Override
    public int matchesAtOnce() {
        return 7;
    }

    @Override
    public boolean wantsEvents() {
        return true;
    }

    @Override
    public boolean wantsReady() {
        return true;
    }

    @Override
    public boolean wantsPositions() {
        return true;
    }

    @Override
    public void matchStarted(Match<Memory> match) {
        match.setMemory(new Memory());
        var start = match.start();
        System.err.printf(
                "started: match %d of %s, seat %d of %d%n",
                start.getMatch(), start.getGame(), start.getSeat(), start.getSeats());
    }

    @Override
    public String choose(Question<Memory> question) throws Exception {
        List<String> legal = question.legal();
        question.match().memory().asked++;
        switch (legal.get(0)) {
            case "tell" -> tell(question);
            case "long" -> question.note("é".repeat(600));
            case "draw" -> {
                return legal.get(1 + question.match().random().nextInt(legal.size() - 1));
            }
            case "illegal" -> {
                return "fly";
            }
            case "think" -> {
                long began = System.nanoTime();
                while (System.nanoTime() - began < 40_000_000) {
                    Thread.onSpinWait();
                }
            }
            case "keep" -> look(question);
            case "throw" -> throw new IllegalStateException("a mistake on purpose");
            default -> {}
        }
        return legal.get(legal.size() - 1);
    }

    private static void tell(Question<Memory> question) throws Exception {
        var start = question.match().start();
        int card = CambioView.parseFrom(question.view()).getCard();
        var options = new TreeMap<>(start.getOptionsMap()).entrySet();
        question.note(
                String.format(
                        "match %d of %s %d, seat %d of %d, options %s, names %s",
                        start.getMatch(),
                        start.getGame(),
                        start.getBehaviour(),
                        start.getSeat(),
                        start.getSeats(),
                        joined(List.copyOf(options)),
                        joined(start.getNamesList())));
        question.note(
                String.format(
                        "move time %d, bank %d, fischer %b, ready time %d",
                        start.getMoveTimeMs(),
                        start.getBankMs(),
                        start.getFischer(),
                        start.getReadyTimeMs()));
        question.note(
                String.format(
                        "card %d, events %s, bank %d, charged %d, again %b, asked %d",
                        card,
                        joined(question.events()),
                        question.bankMs(),
                        question.chargedUs(),
                        question.again(),
                        question.match().memory().asked));
        question.say("never heard");
        question.say("seat " + start.getSeat() + " greets");
    }

    /** Looks ahead, and notes what it sees. */
    private static void look(Question<Memory> question) throws ModelFailure {
        var position = question.position();
        question.note(position.evaluate(new Search(20, Duration.ZERO, "counter")).getNote());
        var tree = new Search(20, Duration.ZERO, "counter", "own", 9);
        question.note(position.search(tree).getNote());
        var worlds = position.worlds(2);
        var copy = worlds.get(0).played("keep");
        var lines = copy.view(question.match().start().getSeat()).getLinesList();
        var numbers =
                Stream.of(worlds.get(0), worlds.get(1), copy)
                        .map(world -> world.state().getWorld())
                        .toList();
        var drop =
                ModelRequest.newBuilder()
                        .setDrop(DropRequest.newBuilder().addAllWorlds(numbers))
                        .build();
        question.note(
                String.format(
                        "worlds %d;%d, copy %d asks seat %d, lines %s, kept %d",
                        numbers.get(0),
                        numbers.get(1),
                        numbers.get(2),
                        copy.state().getAsked(0).getSeat(),
                        joined(lines),
                        position.ask(drop).getDropped().getKept()));
        try {
            position.worlds(1_000_000);
        } catch (ModelFailure failure) {
            question.note(failure.getMessage());
        }
    }

    @Override
    public void matchEnded(Match<Memory> match, List<Integer> scores, List<Integer> ranks) {
        System.err.printf(
                "ended: match %d, scores %s, ranks %s, events %s, asked %d%n",
                match.start().getMatch(),
                joined(scores),
                joined(ranks),
                joined(match.events()),
                match.memory().asked);
    }

    private static String joined(List<?> values) {
        return values.stream().map(String::valueOf).collect(Collectors.joining(";"));
    }
}
