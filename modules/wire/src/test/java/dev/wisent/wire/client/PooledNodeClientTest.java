package dev.wisent.wire.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.base.Clock;
import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.loop.BackgroundLoops;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.LittleEndian;
import dev.wisent.bson.RawDocument;
import dev.wisent.wire.Compressor;
import dev.wisent.wire.DocumentSequence;
import dev.wisent.wire.HostAndPort;
import dev.wisent.wire.MessageHeader;
import dev.wisent.wire.OpMsg;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(60)
class PooledNodeClientTest {
  private static final Duration LONG = Duration.ofSeconds(50);
  private static final Duration SHORT = Duration.ofMillis(30);

  private final List<AutoCloseable> open = new ArrayList<>();

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable each : open.reversed()) {
      each.close();
    }
  }

  private ScriptedNode node(ScriptedNode.Script script) {
    var node = new ScriptedNode(script);
    open.add(node);
    return node;
  }

  private NodeClient client(NodeClientOptions options) {
    var client = new PooledNodeClient(options, Clock.system(), BackgroundLoops.silent());
    open.add(client);
    return client;
  }

  private NodeClient client() {
    return client(NodeClientOptions.plain("test"));
  }

  private static NodeRequest request(String name, Duration timeout) {
    return NodeRequest.of("admin", ScriptedNode.command(name), timeout);
  }

  private static ErrorCode failure(CompletableFuture<?> call) {
    try {
      call.join();
    } catch (CompletionException e) {
      return ((CommandException) e.getCause()).code();
    }
    throw new AssertionError("it did not fail");
  }

  private static void await(BooleanSupplier condition) {
    while (!condition.getAsBoolean()) { // the test's own timeout ends it
      LockSupport.parkNanos(1_000_000);
    }
  }

  private static HostPoolStats stats(NodeClient client) {
    return client.stats().getFirst();
  }

  @Test
  void aReplyIsHandedOverAsItIsAndTheConnectionUsedAgain() {
    var bodies = new LinkedBlockingQueue<RawDocument>();
    ScriptedNode node =
        node(
            request -> {
              bodies.add(request.body());
              request.reply("{ok: 0, code: 11000, errmsg: 'twice', errorLabels: ['a', 'b']}");
            });
    NodeClient client = client();
    for (int i = 0; i < 3; i++) {
      assertThat(client.call(node.host(), request("ping", LONG)).join().toJson())
          .contains("\"twice\"");
    }
    assertThat(bodies.poll().toJson()).contains("\"ping\": 1").contains("\"$db\": \"admin\"");
    assertThat(node.accepted).hasValue(1);
    assertThat(stats(client))
        .isEqualTo(new HostPoolStats("test", node.host(), 0, 1, 0, 0, 1, 0, false));
    assertThatThrownBy(() -> client.run(node.host(), request("ping", LONG)))
        .isInstanceOfSatisfying(
            CommandException.class,
            e -> {
              assertThat(e.code()).isEqualTo(ErrorCode.DUPLICATE_KEY);
              assertThat(e.getMessage()).isEqualTo("twice");
              assertThat(e.labels()).containsExactly("a", "b");
            });
  }

  @Test
  void documentSequencesAreSentBesideTheCommand() {
    var messages = new LinkedBlockingQueue<OpMsg>();
    ScriptedNode node =
        node(
            request -> {
              messages.add(request.message());
              request.reply("{ok: 1}");
            });
    List<RawDocument> documents = new ArrayList<>();
    for (int i = 0; i < 2000; i++) {
      documents.add(RawDocument.parse("{_id: " + i + "}"));
    }
    var inserted =
        new NodeRequest(
            "db",
            RawDocument.parse("{insert: 'c'}"),
            List.of(new DocumentSequence("documents", documents)),
            LONG);
    client().call(node.host(), inserted).join();
    DocumentSequence received = messages.poll().sequences().getFirst();
    assertThat(received.name()).isEqualTo("documents");
    assertThat(received.documents()).isEqualTo(documents);
  }

  @Test
  void aCallEndsAtItsDeadlineAndItsLateReplyReachesNoOtherCall() throws Exception {
    var late = new CountDownLatch(1);
    var received = new AtomicBoolean();
    var replied = new AtomicBoolean();
    ScriptedNode node =
        node(
            request -> {
              if (request.name().equals("slow")) {
                received.set(true);
                awaitLatch(late);
                try {
                  request.reply("{ok: 1, of: 'slow'}");
                } finally {
                  replied.set(true);
                }
              } else {
                request.reply("{ok: 1, of: 'quick'}");
              }
            });
    NodeClient client = client(NodeClientOptions.plain("test").withBounds(1, 10));
    Duration time = SHORT;
    ErrorCode ended;
    do { // on a busy machine the time may be over before there is a connection, or the request sent
      ended = failure(client.call(node.host(), request("slow", time)));
      time = time.multipliedBy(2);
    } while (ended == ErrorCode.POOLED_CONNECTION_ACQUISITION_EXCEEDED_TIME_LIMIT
        || !received.get());
    assertThat(ended).isEqualTo(ErrorCode.NETWORK_INTERFACE_EXCEEDED_TIME_LIMIT);
    late.countDown();
    await(replied::get);
    int before = node.accepted.get();
    assertThat(client.call(node.host(), request("quick", LONG)).join().toJson()).contains("quick");
    assertThat(node.accepted).hasValueGreaterThan(before);
  }

  private static void awaitLatch(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void aCancelledCallGivesUpItsConnection() throws Exception {
    var arrived = new CountDownLatch(1);
    var connectionEnded = new CountDownLatch(1);
    ScriptedNode node =
        node(
            request -> {
              if (request.name().equals("slow")) {
                arrived.countDown();
                request.socket().getInputStream().read();
                connectionEnded.countDown();
              } else {
                request.reply("{ok: 1}");
              }
            });
    NodeClient client = client(NodeClientOptions.plain("test").withBounds(1, 10));
    CompletableFuture<RawDocument> slow = client.call(node.host(), request("slow", LONG));
    arrived.await();
    CompletableFuture<RawDocument> waiting = client.call(node.host(), request("quick", LONG));
    slow.cancel(true);
    connectionEnded.await();
    assertThat(CommandReplies.isOk(waiting.join())).isTrue();
  }

  @Test
  void callsBeyondTheConnectionsWaitAndBeyondTheQueueFail() throws Exception {
    var go = new CountDownLatch(1);
    ScriptedNode node =
        node(
            request -> {
              awaitLatch(go);
              request.reply("{ok: 1}");
            });
    NodeClient client = client(NodeClientOptions.plain("test").withBounds(2, 3));
    var calls = new ArrayList<CompletableFuture<RawDocument>>();
    for (int i = 0; i < 2; i++) {
      calls.add(client.call(node.host(), request("ping", LONG)));
      int busy = i + 1;
      await(() -> stats(client).inUse() == busy);
    }
    for (int i = 0; i < 3; i++) {
      calls.add(client.call(node.host(), request("ping", LONG)));
    }
    assertThat(failure(client.call(node.host(), request("ping", LONG))))
        .isEqualTo(ErrorCode.POOLED_CONNECTION_ACQUISITION_EXCEEDED_TIME_LIMIT);
    assertThat(stats(client))
        .isEqualTo(new HostPoolStats("test", node.host(), 2, 0, 0, 3, 2, 1, false));
    calls.getLast().cancel(true);
    assertThat(stats(client).queued()).isEqualTo(2);
    calls.removeLast();
    go.countDown();
    calls.forEach(call -> assertThat(CommandReplies.isOk(call.join())).isTrue());
    assertThat(node.accepted).hasValue(2);
  }

  /** Ways in which a node ends or spoils a reply. */
  enum Fault {
    CLOSED(ErrorCode.HOST_UNREACHABLE),
    TRUNCATED(ErrorCode.HOST_UNREACHABLE),
    TRUNCATED_HEADER(ErrorCode.HOST_UNREACHABLE),
    OTHER_RESPONSE_TO(ErrorCode.PROTOCOL_ERROR),
    HUGE_LENGTH(ErrorCode.PROTOCOL_ERROR),
    NEGATIVE_LENGTH(ErrorCode.PROTOCOL_ERROR),
    OTHER_OPCODE(ErrorCode.PROTOCOL_ERROR),
    NO_BSON(ErrorCode.PROTOCOL_ERROR),
    UNKNOWN_COMPRESSOR(ErrorCode.PROTOCOL_ERROR),
    MORE_TO_COME(ErrorCode.PROTOCOL_ERROR);

    final ErrorCode code;

    Fault(ErrorCode code) {
      this.code = code;
    }

    void answer(ScriptedNode.Request request) throws java.io.IOException {
      byte[] reply = request.replyBytes("{ok: 1, filler: 'abcdefghijklmnop'}", request.id(), 0);
      int length = reply.length;
      switch (this) {
        case CLOSED -> length = 0;
        case TRUNCATED -> length -= 5;
        case TRUNCATED_HEADER -> length = 9;
        case OTHER_RESPONSE_TO -> LittleEndian.putInt32(reply, 8, request.id() + 1);
        case HUGE_LENGTH -> LittleEndian.putInt32(reply, 0, Integer.MAX_VALUE);
        case NEGATIVE_LENGTH -> LittleEndian.putInt32(reply, 0, -1);
        case OTHER_OPCODE -> LittleEndian.putInt32(reply, 12, MessageHeader.OP_REPLY);
        case NO_BSON -> reply[MessageHeader.BYTES + 5] = 0x7F;
        case UNKNOWN_COMPRESSOR -> {
          LittleEndian.putInt32(reply, 12, MessageHeader.OP_COMPRESSED);
          reply[MessageHeader.BYTES + 8] = 99;
        }
        case MORE_TO_COME -> LittleEndian.putInt32(reply, MessageHeader.BYTES, OpMsg.MORE_TO_COME);
      }
      request.write(reply, length);
      if (code == ErrorCode.HOST_UNREACHABLE) {
        request.socket().close();
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Fault.class)
  void aSpoiltReplyFailsItsCallAndTheNextCallHasANewConnection(Fault fault) {
    var first = new AtomicBoolean(true);
    ScriptedNode node =
        node(
            request -> {
              if (first.getAndSet(false)) {
                fault.answer(request);
              } else {
                request.reply("{ok: 1}");
              }
            });
    NodeClient client = client();
    assertThat(failure(client.call(node.host(), request("ping", LONG)))).isEqualTo(fault.code);
    assertThat(CommandReplies.isOk(client.call(node.host(), request("ping", LONG)).join()))
        .isTrue();
    assertThat(node.accepted).hasValue(2);
  }

  @ParameterizedTest
  @EnumSource(
      value = Compressor.class,
      names = {"SNAPPY", "ZLIB", "ZSTD"})
  void compressionIsNegotiated(Compressor compressor) {
    var used = new AtomicReference<Compressor>();
    var node =
        new ScriptedNode(
            "{ok: 1, compression: ['unknown', '" + compressor.protocolName() + "']}",
            request -> {
              used.set(request.compressor());
              request.reply("{ok: 1}");
            });
    open.add(node);
    NodeClient client =
        client(
            NodeClientOptions.plain("test")
                .withCompressors(List.of(Compressor.ZSTD, Compressor.SNAPPY, Compressor.ZLIB)));
    assertThat(CommandReplies.isOk(client.call(node.host(), request("ping", LONG)).join()))
        .isTrue();
    assertThat(used).hasValue(compressor);
  }

  /** More than sockets hold, so that the other node cannot have it. */
  @Test
  void aRequestThatIsNotSentAsAWholeIsToldFromOthers() {
    ScriptedNode node = node(request -> request.reply("{ok: 1}"));
    NodeClient client = client();
    client.call(node.host(), request("ping", LONG)).join();
    node.requestBytesMax = 1000;
    RawDocument large =
        new BsonBuilder()
            .appendInt32("ping", 1)
            .appendString("filler", "x".repeat(40_000_000))
            .toDocument();
    assertThatThrownBy(() -> client.call(node.host(), NodeRequest.of("admin", large, LONG)).join())
        .hasCauseInstanceOf(UnsentCallException.class);
    client.call(node.host(), request("ping", LONG)).join();
    assertThatThrownBy(() -> client.send(node.host(), NodeRequest.of("admin", large, LONG)))
        .isInstanceOf(UnsentCallException.class);
    client.call(node.host(), request("ping", LONG)).join();
  }

  @Test
  void aConnectionThatTheOtherNodeClosedIsNotUsedAgain() {
    ScriptedNode node = node(request -> request.reply("{ok: 1}"));
    NodeClient client = client();
    client.call(node.host(), request("ping", LONG)).join();
    node.closeConnections();
    for (int i = 0; i < 20; i++) {
      client.call(node.host(), request("ping", LONG)).join();
    }
    assertThat(node.accepted).hasValue(2);
  }

  @Test
  void droppedConnectionsAreClosedAfterTheirCalls() throws Exception {
    var arrived = new CountDownLatch(1);
    var go = new CountDownLatch(1);
    ScriptedNode node =
        node(
            request -> {
              arrived.countDown();
              awaitLatch(go);
              request.reply("{ok: 1}");
            });
    NodeClient client = client();
    CompletableFuture<RawDocument> call = client.call(node.host(), request("ping", LONG));
    arrived.await();
    client.dropConnections(Set.of(node.host()));
    go.countDown();
    assertThat(CommandReplies.isOk(call.join())).isTrue();
    await(() -> stats(client).inUse() == 0);
    assertThat(stats(client).available()).isZero();
    client.call(node.host(), request("ping", LONG)).join();
    client.dropConnections(Set.of(HostAndPort.parse("127.0.0.1:1")));
    assertThat(stats(client).available()).isEqualTo(1);
    client.dropConnections(Set.of(node.host()));
    assertThat(stats(client).available()).isZero();
  }

  @Test
  void aDeadHostIsNotCalledUntilAProbeFindsItBack() {
    ScriptedNode node = node(request -> request.reply("{ok: 1}"));
    HostAndPort host = node.host();
    node.goDown();
    NodeClient client = client();
    for (int i = 0; i < CircuitBreaker.FAILURES_MAX; i++) {
      assertThat(failure(client.call(host, request("ping", LONG))))
          .isEqualTo(ErrorCode.HOST_UNREACHABLE);
    }
    await(() -> stats(client).circuitOpen());
    assertThat(failure(client.call(host, request("ping", LONG))))
        .isEqualTo(ErrorCode.HOST_UNREACHABLE);
    assertThat(stats(client).refused()).isPositive();
    node.comeBack();
    await(() -> !stats(client).circuitOpen());
    assertThat(CommandReplies.isOk(client.call(host, request("ping", LONG)).join())).isTrue();
  }

  @Test
  void aHandshakeThatIsRefusedFailsTheCall() {
    var node = new ScriptedNode("{ok: 0, errmsg: 'no'}", request -> {});
    open.add(node);
    assertThat(failure(client().call(node.host(), request("ping", LONG))))
        .isEqualTo(ErrorCode.HOST_UNREACHABLE);
  }

  @Test
  void closingEndsCallsThatRunAndThoseThatWait() throws Exception {
    var arrived = new CountDownLatch(1);
    ScriptedNode node = node(request -> arrived.countDown());
    NodeClient client = client(NodeClientOptions.plain("test").withBounds(1, 10));
    CompletableFuture<RawDocument> running = client.call(node.host(), request("ping", LONG));
    arrived.await();
    CompletableFuture<RawDocument> waiting = client.call(node.host(), request("ping", LONG));
    client.close();
    assertThat(failure(running)).isEqualTo(ErrorCode.SHUTDOWN_IN_PROGRESS);
    assertThat(failure(waiting)).isEqualTo(ErrorCode.SHUTDOWN_IN_PROGRESS);
    assertThat(failure(client.call(node.host(), request("ping", LONG))))
        .isEqualTo(ErrorCode.SHUTDOWN_IN_PROGRESS);
  }

  @Test
  void clusterTimesGoBothWays() {
    var sent = new LinkedBlockingQueue<RawDocument>();
    var received = new LinkedBlockingQueue<RawDocument>();
    ScriptedNode node =
        node(
            request -> {
              sent.add(request.body());
              request.reply("{ok: 1, $clusterTime: {clusterTime: 8}}");
            });
    var gossip =
        new ClusterTimeGossip() {
          @Override
          public void appendTo(BsonBuilder request) {
            request.startDocument("$clusterTime").appendInt32("clusterTime", 7).end();
          }

          @Override
          public void received(RawDocument clusterTime) {
            received.add(clusterTime);
          }
        };
    client(NodeClientOptions.plain("test").withGossip(gossip))
        .call(node.host(), request("ping", LONG))
        .join();
    assertThat(sent.poll().toJson()).contains("\"clusterTime\": 7");
    assertThat(received.poll().toJson()).isEqualTo("{\"clusterTime\": 8}");
  }

  @Test
  void aStreamHandsOnRepliesUntilTheLast() {
    var flags = new AtomicInteger();
    ScriptedNode node =
        node(
            request -> {
              flags.set(request.flags());
              int last = request.reply("{ok: 1, n: 1}", request.id(), OpMsg.MORE_TO_COME);
              last = request.reply("{ok: 1, n: 2}", last, OpMsg.MORE_TO_COME);
              request.reply("{ok: 1, n: 3}", last, 0);
            });
    BlockingQueue<Integer> replies = new LinkedBlockingQueue<>();
    client().stream(
            node.host(), request("hello", LONG), reply -> replies.add(reply.get("n").asInt32()))
        .join();
    assertThat(replies).containsExactly(1, 2, 3);
    assertThat(flags).hasValue(OpMsg.EXHAUST_ALLOWED);
  }

  @Test
  void aStreamEndsWhenTheNextReplyDoesNotComeInTime() throws Exception {
    ScriptedNode node = node(request -> request.reply("{ok: 1}", request.id(), OpMsg.MORE_TO_COME));
    BlockingQueue<RawDocument> replies = new LinkedBlockingQueue<>();
    CompletableFuture<Void> stream =
        client().stream(node.host(), request("hello", Duration.ofSeconds(1)), replies::add);
    assertThat(replies.poll(50, TimeUnit.SECONDS)).isNotNull();
    assertThat(failure(stream)).isEqualTo(ErrorCode.NETWORK_INTERFACE_EXCEEDED_TIME_LIMIT);
  }

  @RepeatedTest(20)
  void manyCallsShareTheConnections() {
    ScriptedNode node =
        node(request -> request.reply("{ok: 1, n: " + request.body().get("echo").asInt32() + "}"));
    NodeClient client = client(NodeClientOptions.plain("test").withBounds(4, 1000));
    var calls = new ArrayList<CompletableFuture<RawDocument>>();
    for (int i = 0; i < 500; i++) {
      RawDocument command = new BsonBuilder().appendInt32("echo", i).toDocument();
      calls.add(client.call(node.host(), NodeRequest.of("admin", command, LONG)));
    }
    for (int i = 0; i < 500; i++) {
      assertThat(calls.get(i).join().get("n").asInt32()).isEqualTo(i);
    }
    assertThat(node.accepted.get()).isLessThanOrEqualTo(4);
  }
}
