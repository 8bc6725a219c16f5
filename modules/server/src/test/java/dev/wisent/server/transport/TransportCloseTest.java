package dev.wisent.server.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.base.loop.BackgroundLoops;
import dev.wisent.server.harness.Eventually;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated("looks at the threads of all servers in this process")
class TransportCloseTest {
  private final RecordingLog log = new RecordingLog();
  private final TransportOptions options =
      TransportOptions.listeningOn(List.of("127.0.0.1"), 0).withIdleParkMillis(50);
  private final List<EchoHandler> handlers = new CopyOnWriteArrayList<>();

  private ConnectionHandler echo(ConnectionContext connection) {
    handlers.add(new EchoHandler(connection));
    return handlers.getLast();
  }

  @Test
  void closingEndsParkedAndBusyConnectionsAndAllThreads() throws Exception {
    Set<Thread> before = liveThreads();
    var clients = new ArrayList<TestClient>();
    var transport =
        Transport.open(options, this::echo, Memories.ample(), log, BackgroundLoops.silent());
    for (int i = 0; i < 20; i++) {
      clients.add(new TestClient(transport));
      clients.getLast().call(Frames.frame(i, 20));
    }
    Eventually.await("all are parked", () -> transport.counts().threaded() == 0);
    for (int i = 0; i < 10; i++) {
      clients.get(i).call(Frames.frame(i, 20));
    }
    transport.close();
    assertThat(transport.counts().current()).isZero();
    for (EchoHandler handler : handlers) {
      assertThat(handler.closed.getCount()).isZero();
      assertThat(handler.connection.isOpen()).isFalse();
    }
    for (TestClient client : clients) {
      assertThat(client.isClosedByServer()).isTrue();
      client.close();
    }
    // A pool says that it has ended a moment before its last thread has.
    Eventually.await("the threads are gone", () -> before.containsAll(liveThreads()));
    assertThat(log.lines).isEmpty();
    transport.close(); // again, with no effect
  }

  /** Threads other than those that the JDK starts for itself when virtual threads are used. */
  private static Set<Thread> liveThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(
            thread -> thread.getName().startsWith("conn") || thread.getName().startsWith("list"))
        .collect(Collectors.toSet());
  }

  @Test
  void closingTellsARunningHandlerAndWaitsForIt() throws Exception {
    var started = new CountDownLatch(1);
    ConnectionHandlerFactory untilDisconnected =
        connection ->
            new EchoHandler(connection) {
              @Override
              public void handle(byte[] frame, ReplyChannel out) {
                handlers.add(this);
                started.countDown();
                await(disconnected);
                super.handle(frame, out); // into the void
              }
            };
    var transport =
        Transport.open(options, untilDisconnected, Memories.ample(), log, BackgroundLoops.silent());
    try (var client = new TestClient(transport)) {
      client.send(Frames.frame(1, 20));
      EchoHandler.await(started);
      transport.close();
      assertThat(handlers.getFirst().closed.getCount()).isZero();
      assertThat(client.isClosedByServer()).isTrue();
    }
    assertThat(log.lines).isEmpty();
  }

  @Test
  void closingGivesUpOnAHandlerThatDoesNotEnd() throws Exception {
    var started = new CountDownLatch(1);
    var proceed = new CountDownLatch(1);
    ConnectionHandlerFactory stubborn =
        connection ->
            new EchoHandler(connection) {
              @Override
              public void handle(byte[] frame, ReplyChannel out) {
                handlers.add(this);
                started.countDown();
                await(proceed);
              }
            };
    var transport =
        Transport.open(
            options.withCloseTimeoutMillis(100),
            stubborn,
            Memories.ample(),
            log,
            BackgroundLoops.silent());
    try (var client = new TestClient(transport)) {
      client.send(Frames.frame(1, 20));
      EchoHandler.await(started);
      transport.close();
      assertThat(log.lines).containsExactly("timed out 1");
      proceed.countDown();
      EchoHandler.await(handlers.getFirst().closed);
    }
  }

  @Test
  void aHandlerMayCloseItsOwnConnection() throws Exception {
    ConnectionHandlerFactory closing =
        connection ->
            new EchoHandler(connection) {
              @Override
              public void handle(byte[] frame, ReplyChannel out) {
                super.handle(frame, out);
                connection.close();
                super.handle(frame, out);
              }
            };
    try (var transport =
            Transport.open(options, closing, Memories.ample(), log, BackgroundLoops.silent());
        var client = new TestClient(transport)) {
      assertThat(Frames.number(client.call(Frames.frame(6, 20)))).isEqualTo(6);
      assertThat(client.isClosedByServer()).isTrue();
      Eventually.await("it is gone", () -> transport.counts().current() == 0);
    }
    assertThat(log.lines).isEmpty();
  }

  @Test
  void aParkedConnectionCanBeClosedFromOutside() throws Exception {
    try (var transport =
            Transport.open(options, this::echo, Memories.ample(), log, BackgroundLoops.silent());
        var client = new TestClient(transport)) {
      client.call(Frames.frame(1, 20));
      Eventually.await("parked", () -> transport.counts().threaded() == 0);
      handlers.getFirst().connection.close();
      assertThat(client.isClosedByServer()).isTrue();
      EchoHandler.await(handlers.getFirst().closed);
      Eventually.await("it is gone", () -> transport.counts().current() == 0);
    }
  }

  @Test
  void connectionsLiveOnWhenAcceptingHasStopped() throws Exception {
    try (var transport =
            Transport.open(options, this::echo, Memories.ample(), log, BackgroundLoops.silent());
        var client = new TestClient(transport)) {
      client.call(Frames.frame(1, 20));
      transport.stopAccepting();
      assertThatThrownBy(() -> new TestClient(transport)).isInstanceOf(IOException.class);
      assertThat(Frames.number(client.call(Frames.frame(2, 20)))).isEqualTo(2);
    }
  }

  @Test
  void closingRacesWithTraffic() throws Exception {
    for (int round = 0; round < 20; round++) {
      var quickToPark = options.withIdleParkMillis(1).withCloseTimeoutMillis(60_000);
      var transport =
          Transport.open(quickToPark, this::echo, Memories.ample(), log, BackgroundLoops.silent());
      var running = new ArrayList<CompletableFuture<Void>>();
      for (int i = 0; i < 8; i++) {
        running.add(
            CompletableFuture.runAsync(
                () -> callUntilClosed(transport), Thread::startVirtualThread));
      }
      Eventually.await("traffic", () -> transport.counts().current() >= 4);
      transport.close();
      assertThat(transport.counts().current()).isZero();
      for (var each : running) {
        each.get(Eventually.DEADLINE_SECONDS, TimeUnit.SECONDS);
      }
    }
    Eventually.await(
        "every handler hears of the end",
        () -> handlers.stream().allMatch(handler -> handler.closed.getCount() == 0));
    assertThat(log.lines).isEmpty();
  }

  private static void callUntilClosed(Transport transport) {
    try (var client = new TestClient(transport)) {
      for (int i = 0; ; i++) {
        client.call(Frames.frame(i, 100));
      }
    } catch (IOException closedByServer) {
      // as it should be
    }
  }
}
