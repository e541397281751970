package referee.v1;

import static io.grpc.MethodDescriptor.generateFullMethodName;

/**
 * <pre>
 * The referee's side of the conversation with bots.
 * </pre>
 */
@io.grpc.stub.annotations.GrpcGenerated
public final class BotServiceGrpc {

  private BotServiceGrpc() {}

  public static final java.lang.String SERVICE_NAME = "referee.v1.BotService";

  // Static method descriptors that strictly reflect the proto.
  private static volatile io.grpc.MethodDescriptor<referee.v1.Play.PlayRequest,
      referee.v1.Play.PlayResponse> getPlayMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "Play",
      requestType = referee.v1.Play.PlayRequest.class,
      responseType = referee.v1.Play.PlayResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.BIDI_STREAMING)
  public static io.grpc.MethodDescriptor<referee.v1.Play.PlayRequest,
      referee.v1.Play.PlayResponse> getPlayMethod() {
    io.grpc.MethodDescriptor<referee.v1.Play.PlayRequest, referee.v1.Play.PlayResponse> getPlayMethod;
    if ((getPlayMethod = BotServiceGrpc.getPlayMethod) == null) {
      synchronized (BotServiceGrpc.class) {
        if ((getPlayMethod = BotServiceGrpc.getPlayMethod) == null) {
          BotServiceGrpc.getPlayMethod = getPlayMethod =
              io.grpc.MethodDescriptor.<referee.v1.Play.PlayRequest, referee.v1.Play.PlayResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.BIDI_STREAMING)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "Play"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  referee.v1.Play.PlayRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  referee.v1.Play.PlayResponse.getDefaultInstance()))
              .setSchemaDescriptor(new BotServiceMethodDescriptorSupplier("Play"))
              .build();
        }
      }
    }
    return getPlayMethod;
  }

  /**
   * Creates a new async stub that supports all call types for the service
   */
  public static BotServiceStub newStub(io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<BotServiceStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<BotServiceStub>() {
        @java.lang.Override
        public BotServiceStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new BotServiceStub(channel, callOptions);
        }
      };
    return BotServiceStub.newStub(factory, channel);
  }

  /**
   * Creates a new blocking-style stub that supports all types of calls on the service
   */
  public static BotServiceBlockingV2Stub newBlockingV2Stub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<BotServiceBlockingV2Stub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<BotServiceBlockingV2Stub>() {
        @java.lang.Override
        public BotServiceBlockingV2Stub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new BotServiceBlockingV2Stub(channel, callOptions);
        }
      };
    return BotServiceBlockingV2Stub.newStub(factory, channel);
  }

  /**
   * Creates a new blocking-style stub that supports unary and streaming output calls on the service
   */
  public static BotServiceBlockingStub newBlockingStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<BotServiceBlockingStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<BotServiceBlockingStub>() {
        @java.lang.Override
        public BotServiceBlockingStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new BotServiceBlockingStub(channel, callOptions);
        }
      };
    return BotServiceBlockingStub.newStub(factory, channel);
  }

  /**
   * Creates a new ListenableFuture-style stub that supports unary calls on the service
   */
  public static BotServiceFutureStub newFutureStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<BotServiceFutureStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<BotServiceFutureStub>() {
        @java.lang.Override
        public BotServiceFutureStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new BotServiceFutureStub(channel, callOptions);
        }
      };
    return BotServiceFutureStub.newStub(factory, channel);
  }

  /**
   * <pre>
   * The referee's side of the conversation with bots.
   * </pre>
   */
  public interface AsyncService {

    /**
     * <pre>
     * One stream for the whole life of a bot process. The bot's first message is a hello, all later
     * ones are answers; the referee's first message is a welcome or a refusal, all later ones are turns.
     * </pre>
     */
    default io.grpc.stub.StreamObserver<referee.v1.Play.PlayRequest> play(
        io.grpc.stub.StreamObserver<referee.v1.Play.PlayResponse> responseObserver) {
      return io.grpc.stub.ServerCalls.asyncUnimplementedStreamingCall(getPlayMethod(), responseObserver);
    }
  }

  /**
   * Base class for the server implementation of the service BotService.
   * <pre>
   * The referee's side of the conversation with bots.
   * </pre>
   */
  public static abstract class BotServiceImplBase
      implements io.grpc.BindableService, AsyncService {

    @java.lang.Override public final io.grpc.ServerServiceDefinition bindService() {
      return BotServiceGrpc.bindService(this);
    }
  }

  /**
   * A stub to allow clients to do asynchronous rpc calls to service BotService.
   * <pre>
   * The referee's side of the conversation with bots.
   * </pre>
   */
  public static final class BotServiceStub
      extends io.grpc.stub.AbstractAsyncStub<BotServiceStub> {
    private BotServiceStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected BotServiceStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new BotServiceStub(channel, callOptions);
    }

    /**
     * <pre>
     * One stream for the whole life of a bot process. The bot's first message is a hello, all later
     * ones are answers; the referee's first message is a welcome or a refusal, all later ones are turns.
     * </pre>
     */
    public io.grpc.stub.StreamObserver<referee.v1.Play.PlayRequest> play(
        io.grpc.stub.StreamObserver<referee.v1.Play.PlayResponse> responseObserver) {
      return io.grpc.stub.ClientCalls.asyncBidiStreamingCall(
          getChannel().newCall(getPlayMethod(), getCallOptions()), responseObserver);
    }
  }

  /**
   * A stub to allow clients to do synchronous rpc calls to service BotService.
   * <pre>
   * The referee's side of the conversation with bots.
   * </pre>
   */
  public static final class BotServiceBlockingV2Stub
      extends io.grpc.stub.AbstractBlockingStub<BotServiceBlockingV2Stub> {
    private BotServiceBlockingV2Stub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected BotServiceBlockingV2Stub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new BotServiceBlockingV2Stub(channel, callOptions);
    }

    /**
     * <pre>
     * One stream for the whole life of a bot process. The bot's first message is a hello, all later
     * ones are answers; the referee's first message is a welcome or a refusal, all later ones are turns.
     * </pre>
     */
    @io.grpc.ExperimentalApi("https://github.com/grpc/grpc-java/issues/10918")
    public io.grpc.stub.BlockingClientCall<referee.v1.Play.PlayRequest, referee.v1.Play.PlayResponse>
        play() {
      return io.grpc.stub.ClientCalls.blockingBidiStreamingCall(
          getChannel(), getPlayMethod(), getCallOptions());
    }
  }

  /**
   * A stub to allow clients to do limited synchronous rpc calls to service BotService.
   * <pre>
   * The referee's side of the conversation with bots.
   * </pre>
   */
  public static final class BotServiceBlockingStub
      extends io.grpc.stub.AbstractBlockingStub<BotServiceBlockingStub> {
    private BotServiceBlockingStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected BotServiceBlockingStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new BotServiceBlockingStub(channel, callOptions);
    }
  }

  /**
   * A stub to allow clients to do ListenableFuture-style rpc calls to service BotService.
   * <pre>
   * The referee's side of the conversation with bots.
   * </pre>
   */
  public static final class BotServiceFutureStub
      extends io.grpc.stub.AbstractFutureStub<BotServiceFutureStub> {
    private BotServiceFutureStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected BotServiceFutureStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new BotServiceFutureStub(channel, callOptions);
    }
  }

  private static final int METHODID_PLAY = 0;

  private static final class MethodHandlers<Req, Resp> implements
      io.grpc.stub.ServerCalls.UnaryMethod<Req, Resp>,
      io.grpc.stub.ServerCalls.ServerStreamingMethod<Req, Resp>,
      io.grpc.stub.ServerCalls.ClientStreamingMethod<Req, Resp>,
      io.grpc.stub.ServerCalls.BidiStreamingMethod<Req, Resp> {
    private final AsyncService serviceImpl;
    private final int methodId;

    MethodHandlers(AsyncService serviceImpl, int methodId) {
      this.serviceImpl = serviceImpl;
      this.methodId = methodId;
    }

    @java.lang.Override
    @java.lang.SuppressWarnings("unchecked")
    public void invoke(Req request, io.grpc.stub.StreamObserver<Resp> responseObserver) {
      switch (methodId) {
        default:
          throw new AssertionError();
      }
    }

    @java.lang.Override
    @java.lang.SuppressWarnings("unchecked")
    public io.grpc.stub.StreamObserver<Req> invoke(
        io.grpc.stub.StreamObserver<Resp> responseObserver) {
      switch (methodId) {
        case METHODID_PLAY:
          return (io.grpc.stub.StreamObserver<Req>) serviceImpl.play(
              (io.grpc.stub.StreamObserver<referee.v1.Play.PlayResponse>) responseObserver);
        default:
          throw new AssertionError();
      }
    }
  }

  public static final io.grpc.ServerServiceDefinition bindService(AsyncService service) {
    return io.grpc.ServerServiceDefinition.builder(getServiceDescriptor())
        .addMethod(
          getPlayMethod(),
          io.grpc.stub.ServerCalls.asyncBidiStreamingCall(
            new MethodHandlers<
              referee.v1.Play.PlayRequest,
              referee.v1.Play.PlayResponse>(
                service, METHODID_PLAY)))
        .build();
  }

  private static abstract class BotServiceBaseDescriptorSupplier
      implements io.grpc.protobuf.ProtoFileDescriptorSupplier, io.grpc.protobuf.ProtoServiceDescriptorSupplier {
    BotServiceBaseDescriptorSupplier() {}

    @java.lang.Override
    public com.google.protobuf.Descriptors.FileDescriptor getFileDescriptor() {
      return referee.v1.Play.getDescriptor();
    }

    @java.lang.Override
    public com.google.protobuf.Descriptors.ServiceDescriptor getServiceDescriptor() {
      return getFileDescriptor().findServiceByName("BotService");
    }
  }

  private static final class BotServiceFileDescriptorSupplier
      extends BotServiceBaseDescriptorSupplier {
    BotServiceFileDescriptorSupplier() {}
  }

  private static final class BotServiceMethodDescriptorSupplier
      extends BotServiceBaseDescriptorSupplier
      implements io.grpc.protobuf.ProtoMethodDescriptorSupplier {
    private final java.lang.String methodName;

    BotServiceMethodDescriptorSupplier(java.lang.String methodName) {
      this.methodName = methodName;
    }

    @java.lang.Override
    public com.google.protobuf.Descriptors.MethodDescriptor getMethodDescriptor() {
      return getServiceDescriptor().findMethodByName(methodName);
    }
  }

  private static volatile io.grpc.ServiceDescriptor serviceDescriptor;

  public static io.grpc.ServiceDescriptor getServiceDescriptor() {
    io.grpc.ServiceDescriptor result = serviceDescriptor;
    if (result == null) {
      synchronized (BotServiceGrpc.class) {
        result = serviceDescriptor;
        if (result == null) {
          serviceDescriptor = result = io.grpc.ServiceDescriptor.newBuilder(SERVICE_NAME)
              .setSchemaDescriptor(new BotServiceFileDescriptorSupplier())
              .addMethod(getPlayMethod())
              .build();
        }
      }
    }
    return result;
  }
}
