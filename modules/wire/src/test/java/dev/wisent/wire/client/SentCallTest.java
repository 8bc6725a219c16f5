package dev.wisent.wire.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.base.Clock;
import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.loop.BackgroundLoops;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls that the thread of the caller makes. */
@Timeout(60)
class SentCallTest {
  private static final Duration FOREVER = Duration.ofNanos(Long.MAX_VALUE);
  private static final Duration SHORT = Duration.ofMillis(30);

  private final CountDownLatch end = new CountDownLatch(1);
  private final ScriptedNode node =
      new ScriptedNode(
          request -> {
            switch (request.name()) {
              case "ping" -> request.reply("{ok: 1, pong: 1}");
              case "large" -> request.reply("{ok: 1, text: '" + "x".repeat(300_000) + "'}");
              case "break" -> request.socket().close();
              default -> {
                try {
                  end.await();
                } catch (InterruptedException e) {
                  throw new IllegalStateException(e);
                }
                request.reply("{ok: 1, late: 1}");
              }
            }
          });
  private final NodeClient client =
      new PooledNodeClient(
          NodeClientOptions.plain("test"), Clock.system(), BackgroundLoops.silent());

  @AfterEach
  void close() {
    end.countDown();
    client.close();
    node.close();
  }

  private static NodeRequest request(String name, Duration timeout) {
    return NodeRequest.of("admin", ScriptedNode.command(name), timeout);
  }

  private SentCall send(String name, Duration timeout) {
    return client.send(node.host(), request(name, timeout));
  }

  private String call(String name) {
    return send(name, FOREVER).receive(() -> false).toJson();
  }

  /** Leaves an idle connection behind. */
  private void connect() {
    client.call(node.host(), request("ping", FOREVER)).join();
  }

  @Test
  void withoutAnIdleConnectionThereIsNone() {
    assertThat(send("ping", FOREVER)).isNull();
    connect();
    SentCall first = send("ping", FOREVER);
    assertThat(send("ping", FOREVER)).isNull();
    assertThat(first.receive(() -> false).toJson()).contains("pong");
    assertThat(client.stats().getFirst().inUse()).isZero();
  }

  @Test
  void oneConnectionServesOneCallAfterTheOther() {
    connect();
    for (int i = 0; i < 20; i++) {
      assertThat(call("ping")).contains("pong");
      assertThat(call("large")).contains("xxx");
    }
    assertThat(node.accepted).hasValue(1);
  }

  @Test
  void aCallEndsWhenItsCallerHasToStop() throws Exception {
    connect();
    var stop = new AtomicBoolean();
    SentCall sent = send("wait", FOREVER);
    Thread.ofVirtual().start(() -> stop.set(true));
    assertThatThrownBy(() -> sent.receive(stop::get)).isInstanceOf(CommandException.class);
    assertIdleConnectionsLeft(0);
  }

  @Test
  void aCallEndsAtItsDeadlineAndItsLateReplyReachesNoOtherCall() {
    connect();
    SentCall sent = send("wait", SHORT);
    assertThatThrownBy(() -> sent.receive(() -> false))
        .isInstanceOfSatisfying(
            CommandException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.NETWORK_INTERFACE_EXCEEDED_TIME_LIMIT));
    end.countDown();
    connect();
    assertThat(call("ping")).contains("pong");
  }

  @Test
  void aCallThatIsNotWaitedForGivesUpItsConnection() {
    connect();
    SentCall sent = send("wait", FOREVER);
    assertThat(sent.receiveNow()).isNull();
    assertIdleConnectionsLeft(0);
    connect();
    assertThat(call("ping")).contains("pong");
    assertIdleConnectionsLeft(1);
  }

  @Test
  void toEndACallThatHasItsReplyDoesNothing() {
    connect();
    SentCall sent = send("ping", FOREVER);
    sent.receive(() -> false);
    assertThat(sent.receiveNow()).isNull();
    assertIdleConnectionsLeft(1);
    assertThat(call("ping")).contains("pong");
  }

  @Test
  void aLostConnectionFailsTheCall() {
    connect();
    assertThatThrownBy(() -> call("break"))
        .isInstanceOfSatisfying(
            CommandException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.HOST_UNREACHABLE));
    assertIdleConnectionsLeft(0);
  }

  @Test
  void closingEndsACallThatWaits() throws Exception {
    connect();
    SentCall sent = send("wait", FOREVER);
    Thread closing = Thread.ofVirtual().start(client::close);
    assertThatThrownBy(() -> sent.receive(() -> false))
        .isInstanceOfSatisfying(
            CommandException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.SHUTDOWN_IN_PROGRESS));
    closing.join();
  }

  private void assertIdleConnectionsLeft(int expected) {
    HostPoolStats stats = client.stats().getFirst();
    assertThat(stats.inUse()).isZero();
    assertThat(stats.available()).isEqualTo(expected);
  }
}
