package bot;

import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NegotiationType;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.channel.ChannelOption;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollDomainSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.unix.DomainSocketAddress;
import io.grpc.stub.StreamObserver;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import referee.v1.BotServiceGrpc;
import referee.v1.Play.Answer;
import referee.v1.Play.Answers;
import referee.v1.Play.Hello;
import referee.v1.Play.MatchStart;
import referee.v1.Play.PlayRequest;
import referee.v1.Play.PlayResponse;
import referee.v1.Play.Turns;

/** The conversation with the referee: dial, say hello, answer until the stream ends. */
public final class Referee implements StreamObserver<PlayResponse> {
    private final Player player;
    private final Starter starter;
    private final Map<Integer, CompletableFuture<Void>> ready = new HashMap<>();
    private final Map<Integer, Match> matches = new HashMap<>();
    private final CompletableFuture<Void> over = new CompletableFuture<>();
    private StreamObserver<PlayRequest> say;

    Referee(Player player, Starter starter) {
        this.player = player;
        this.starter = starter;
    }

    /** Plays until the referee ends the stream. */
    public static void play(String name, List<String> games, Player player) throws Exception {
        play(name, games, player, null);
    }

    /** Plays until the referee ends the stream, and gets ready for each match; {@code starter} may be null. */
    public static void play(String name, List<String> games, Player player, Starter starter) throws Exception {
        String address = System.getenv("ARENA_ADDRESS");
        String token = System.getenv("ARENA_TOKEN");
        if (address == null || token == null) {
            throw new IllegalStateException("a referee starts this bot: README.md has the commands");
        }
        var referee = new Referee(player, starter);
        referee.sayTo(BotServiceGrpc.newStub(dial(address)).play(referee));
        var hello = Hello.newBuilder().addProtocols(1).setToken(token).setName(name).addAllGames(games)
                .setWantsReady(starter != null);
        referee.say(PlayRequest.newBuilder().setHello(hello));
        referee.over.get();
    }

    void sayTo(StreamObserver<PlayRequest> stream) {
        say = stream;
    }

    private static ManagedChannel dial(String address) {
        NettyChannelBuilder builder;
        if (address.startsWith("unix:")) {
            builder = NettyChannelBuilder.forAddress(new DomainSocketAddress(address.substring("unix:".length())))
                    .eventLoopGroup(new EpollEventLoopGroup(1))
                    .channelType(EpollDomainSocketChannel.class, DomainSocketAddress.class)
                    .withOption(ChannelOption.SO_KEEPALIVE, null); // which Unix sockets do not know
        } else {
            builder = NettyChannelBuilder.forTarget(address);
        }
        return builder.overrideAuthority("localhost")
                .negotiationType(NegotiationType.PLAINTEXT)
                .maxInboundMessageSize(Integer.MAX_VALUE)
                .directExecutor()
                .build();
    }

    @Override
    public void onNext(PlayResponse response) {
        if (response.hasRefusal()) {
            over.completeExceptionally(new Exception("refused: " + response.getRefusal().getSentence()));
        }
        try {
            Answers answers = answer(response.getTurns());
            if (answers.getAnswersCount() > 0) {
                say(PlayRequest.newBuilder().setAnswers(answers));
            }
        } catch (Exception error) {
            over.completeExceptionally(error);
        }
    }

    /** Takes in what one message tells, and returns the answers to all its questions. */
    Answers answer(Turns turns) throws Exception {
        turns.getStartsList().forEach(this::start);
        var answers = Answers.newBuilder();
        for (var question : turns.getQuestionsList()) {
            var prepared = ready.remove(question.getMatch());
            if (prepared != null) {
                prepared.join(); // it is over: the referee asks after the bot has said that it is ready
            }
            int index = player.choose(question, matches.get(question.getMatch()));
            answers.addAnswers(Answer.newBuilder().setQuestion(question.getId()).setIndex(index));
        }
        for (var end : turns.getEndsList()) {
            matches.remove(end.getMatch());
            ready.remove(end.getMatch());
        }
        return answers.build();
    }

    /** Begins a match; where the referee waits until the bot is ready for it, in a thread of its own. */
    private void start(MatchStart start) {
        var match = Match.of(start);
        matches.put(start.getMatch(), match);
        if (start.getReadyQuestion() != 0) {
            var prepared = new CompletableFuture<Void>();
            ready.put(start.getMatch(), prepared);
            var thread = new Thread(() -> getReady(match, prepared), "match " + start.getMatch());
            thread.setDaemon(true);
            thread.start();
        }
    }

    private void getReady(Match match, CompletableFuture<Void> prepared) {
        try {
            starter.started(match);
            prepared.complete(null);
            var answer = Answer.newBuilder().setQuestion(match.start().getReadyQuestion()).setIndex(0);
            say(PlayRequest.newBuilder().setAnswers(Answers.newBuilder().addAnswers(answer)));
        } catch (Throwable error) {
            over.completeExceptionally(error);
        }
    }

    /** Sends a message; a stream takes one at a time. */
    private void say(PlayRequest.Builder request) {
        synchronized (over) {
            say.onNext(request.build());
        }
    }

    int matchesUnderWay() {
        return matches.size();
    }

    @Override
    public void onError(Throwable error) {
        over.completeExceptionally(error);
    }

    @Override
    public void onCompleted() {
        over.complete(null);
    }
}
