package bot;

import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NegotiationType;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.channel.ChannelOption;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollDomainSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.unix.DomainSocketAddress;
import io.grpc.stub.StreamObserver;

import referee.v1.BotServiceGrpc;
import referee.v1.Play.Hello;
import referee.v1.Play.PlayRequest;
import referee.v1.Play.PlayResponse;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.LinkedBlockingQueue;

/** The conversation with the referee: dial, say hello, answer until the stream ends. */
public final class Referee {
    private Referee() {}

    /**
     * Plays until the referee ends the stream, then exits: 0 in good order, 1 otherwise, with what
     * went wrong on standard error; where the bot has thrown, with the place in its code.
     */
    public static void run(Bot<?> bot) {
        try {
            play(bot);
        } catch (BotFailure failure) {
            failure.printStackTrace();
            System.exit(1);
        } catch (Exception error) {
            System.err.println(error.getMessage());
            System.exit(1);
        }
        System.exit(0);
    }

    /** Plays until the referee ends the stream. Where the bot throws, its answers before count. */
    public static <M> void play(Bot<M> bot) throws Exception {
        String address = System.getenv("ARENA_ADDRESS");
        String token = System.getenv("ARENA_TOKEN");
        if (address == null || token == null) {
            throw new IllegalStateException(
                    "a referee starts this bot: README.md has the commands");
        }
        var server = bot.wantsPositions() ? ModelServer.start() : null;
        var heard = new Heard();
        StreamObserver<PlayRequest> say = BotServiceGrpc.newStub(dial(address)).play(heard);
        var hello =
                Hello.newBuilder()
                        .addProtocols(1)
                        .setToken(token)
                        .setName(bot.name())
                        .setVersion(bot.version())
                        .addAllGames(bot.games())
                        .setMatchesAtOnce(bot.matchesAtOnce())
                        .setWantsEvents(bot.wantsEvents() || bot.wantsPositions())
                        .setWantsValues(bot.wantsPositions())
                        .setWantsReady(bot.wantsReady());
        say.onNext(PlayRequest.newBuilder().setHello(hello).build());
        var player =
                new Player<>(
                        bot,
                        answers -> say.onNext(PlayRequest.newBuilder().setAnswers(answers).build()),
                        server);
        try {
            for (var response = heard.next(); response != null; response = heard.next()) {
                if (response.hasRefusal()) {
                    throw new IllegalStateException(
                            "refused: " + response.getRefusal().getSentence());
                }
                player.take(response.getTurns());
            }
        } catch (BotFailure failure) {
            say.onCompleted();
            heard.rest(); // the referee takes what was sent, and ends the stream
            throw failure;
        }
    }

    private static ManagedChannel dial(String address) {
        NettyChannelBuilder builder;
        if (address.startsWith("unix:")) {
            builder =
                    NettyChannelBuilder.forAddress(
                                    new DomainSocketAddress(address.substring("unix:".length())))
                            .eventLoopGroup(new EpollEventLoopGroup(1))
                            .channelType(EpollDomainSocketChannel.class, DomainSocketAddress.class)
                            .withOption(
                                    ChannelOption.SO_KEEPALIVE,
                                    null); // which Unix sockets do not know
        } else {
            builder = NettyChannelBuilder.forTarget(address);
        }
        return builder.overrideAuthority("localhost")
                .negotiationType(NegotiationType.PLAINTEXT)
                .maxInboundMessageSize(Integer.MAX_VALUE)
                .directExecutor()
                .build();
    }

    /**
     * What the referee has said: gRPC's thread puts it here, so that answers leave while the bot
     * thinks about others.
     */
    private static final class Heard implements StreamObserver<PlayResponse> {
        private final BlockingQueue<Callable<PlayResponse>> queue = new LinkedBlockingQueue<>();

        /**
         * Returns the next message; null at the end of the stream. Throws what ended it otherwise.
         */
        PlayResponse next() throws Exception {
            return queue.take().call();
        }

        /** Waits for the end of the stream. */
        void rest() throws InterruptedException {
            try {
                while (next() != null) {}
            } catch (InterruptedException interruption) {
                throw interruption;
            } catch (Exception end) {
                return;
            }
        }

        @Override
        public void onNext(PlayResponse response) {
            queue.add(() -> response);
        }

        @Override
        public void onError(Throwable error) {
            queue.add(
                    () -> {
                        throw new IllegalStateException(error.getMessage(), error);
                    });
        }

        @Override
        public void onCompleted() {
            queue.add(() -> null);
        }
    }
}
