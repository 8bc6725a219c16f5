package dev.wisent.wire.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.base.Clock;
import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.loop.BackgroundLoops;
import dev.wisent.bson.RawDocument;
import dev.wisent.wire.HostAndPort;
import dev.wisent.wire.OpMsg;
import dev.wisent.wire.client.HostSelector.Mode;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The monitor with hosts that stream what the test wants them to say. */
@Timeout(60)
class ReplicaSetMonitorTest {
  private static final Duration LONG = Duration.ofSeconds(50);

  private final NodeClient client =
      new PooledNodeClient(
          NodeClientOptions.plain("test"), Clock.system(), BackgroundLoops.silent());
  private final StreamingHost first = new StreamingHost();
  private final StreamingHost second = new StreamingHost();
  private ReplicaSetMonitor monitor;

  /** Streams the newest answer to each connection, and answers pings. */
  private static final class StreamingHost implements AutoCloseable {
    final ScriptedNode node;
    final HostAndPort host;
    private final BlockingQueue<String> said = new LinkedBlockingQueue<>();
    private volatile String last;

    StreamingHost() {
      node = new ScriptedNode(this::answer);
      host = node.host();
    }

    void say(String reply) {
      last = reply;
      said.add(reply);
    }

    private void answer(ScriptedNode.Request request) throws IOException {
      if (request.name().equals("insert")) {
        return; // as a process that is stopped
      }
      if (!request.name().equals("hello")) {
        request.reply("{ok: 1}");
        return;
      }
      int before = request.id();
      String reply = last;
      try {
        if (reply == null) {
          reply = said.take();
        }
        said.clear();
        while (true) {
          before = request.reply(reply, before, OpMsg.MORE_TO_COME);
          reply = said.take();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    @Override
    public void close() {
      node.close();
    }
  }

  @AfterEach
  void close() {
    if (monitor != null) {
      monitor.close();
    }
    client.close();
    first.close();
    second.close();
  }

  private void start() {
    monitor =
        new ReplicaSetMonitor(
            client, "rs", Set.of(first.host), Clock.system(), BackgroundLoops.silent());
  }

  private String hello(StreamingHost host, String state) {
    return "{ok: 1, setName: 'rs', me: '%s', hosts: ['%s', '%s'], setVersion: 1, %s}"
        .formatted(host.host, first.host, second.host, state);
  }

  private static String primary(int election) {
    return "isWritablePrimary: true, electionId: ObjectId('7fffffff00000000000000%02x')"
        .formatted(election);
  }

  private static void await(BooleanSupplier condition) {
    while (!condition.getAsBoolean()) { // the test's own timeout ends it
      LockSupport.parkNanos(1_000_000);
    }
  }

  @Test
  void aNewPrimaryIsKnownAsSoonAsItTellsSo() {
    first.say(hello(first, primary(1)));
    second.say(hello(second, "secondary: true"));
    start();
    assertThat(monitor.select(HostSelector.primary(), LONG).join()).isEqualTo(first.host);
    assertThat(monitor.select(HostSelector.of(Mode.SECONDARY), LONG).join()).isEqualTo(second.host);
    first.say(hello(first, "secondary: true"));
    await(() -> monitor.primary().isEmpty());
    CompletableFuture<HostAndPort> waiting = monitor.select(HostSelector.primary(), LONG);
    assertThat(waiting).isNotDone();
    second.say(hello(second, primary(2)));
    assertThat(waiting.join()).isEqualTo(second.host);
  }

  @Test
  void callsToAPrimaryThatIsSilentEndWhenThereIsAnother() {
    first.say(hello(first, primary(1)));
    second.say(hello(second, "secondary: true"));
    start();
    await(() -> monitor.primary().isPresent());
    CompletableFuture<RawDocument> call =
        client.call(first.host, NodeRequest.of("db", ScriptedNode.command("insert"), LONG));
    second.say(hello(second, primary(2)));
    assertThatThrownBy(call::join)
        .cause()
        .isInstanceOfSatisfying(
            CommandException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.HOST_UNREACHABLE));
    assertThat(monitor.primary()).contains(second.host);
  }

  @Test
  void aWaitForAHostEndsAtItsDeadline() {
    first.say(hello(first, "secondary: true"));
    start();
    assertThatThrownBy(() -> monitor.select(HostSelector.primary(), Duration.ofMillis(20)).join())
        .isInstanceOf(CompletionException.class)
        .cause()
        .isInstanceOfSatisfying(
            CommandException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.FAILED_TO_SATISFY_READ_PREFERENCE));
  }

  @Test
  void allMembersMayGoAndComeBack() {
    first.say(hello(first, primary(1)));
    second.say(hello(second, "secondary: true"));
    start();
    await(() -> monitor.hosts(HostSelector.of(Mode.NEAREST)).size() == 2);
    first.node.goDown();
    second.node.goDown();
    await(() -> monitor.hosts(HostSelector.of(Mode.NEAREST)).isEmpty());
    CompletableFuture<HostAndPort> waiting = monitor.select(HostSelector.primary(), LONG);
    second.say(hello(second, primary(2)));
    second.node.comeBack();
    assertThat(waiting.join()).isEqualTo(second.host);
  }

  @Test
  void aHostThatFailedACallIsAskedAgain() {
    first.say(hello(first, primary(1)));
    start();
    monitor.select(HostSelector.primary(), LONG).join();
    int before = first.node.accepted.get();
    monitor.failed(first.host, "not primary");
    assertThat(monitor.select(HostSelector.primary(), LONG).join()).isEqualTo(first.host);
    assertThat(first.node.accepted.get()).isGreaterThan(before);
  }

  @Test
  void aHostThatDoesNotStreamIsPolled() {
    var asked = new AtomicInteger();
    var polled =
        new ScriptedNode(
            request ->
                request.reply(
                    "{ok: 1, setName: 'rs', hosts: ['localhost:1'], "
                        + (asked.incrementAndGet() == 1 ? "secondary: true" : primary(1))
                        + "}"));
    try (polled;
        var polling =
            new ReplicaSetMonitor(
                client, "rs", Set.of(polled.host()), Clock.system(), BackgroundLoops.silent())) {
      await(() -> asked.get() >= 2 && polling.description().hosts().size() == 1);
    }
  }

  @Test
  void closingEndsTheWaits() {
    start();
    CompletableFuture<HostAndPort> waiting = monitor.select(HostSelector.primary(), LONG);
    monitor.close();
    assertThatThrownBy(waiting::join).hasMessageContaining("shutting down");
    assertThatThrownBy(monitor.select(HostSelector.primary(), LONG)::join)
        .hasMessageContaining("shutting down");
  }
}
