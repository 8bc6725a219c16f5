package dev.wisent.server.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.base.loop.BackgroundLoops;
import dev.wisent.server.harness.Eventually;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DisconnectTest {
  private final RecordingLog log = new RecordingLog();
  private final TransportOptions options =
      TransportOptions.listeningOn(List.of("127.0.0.1"), 0).withIdleParkMillis(5);

  /** Message 1 runs until the test lets it, all others are echoed at once. */
  private static class LongRunning extends EchoHandler {
    final Execution execution;
    final CountDownLatch started = new CountDownLatch(1);
    final CountDownLatch proceed = new CountDownLatch(1);

    LongRunning(ConnectionContext connection, Execution execution) {
      super(connection);
      this.execution = execution;
    }

    @Override
    public Execution classify(byte[] frame) {
      return Frames.number(frame) == 1 ? execution : Execution.RUN;
    }

    @Override
    public void handle(byte[] frame, ReplyChannel out) {
      if (Frames.number(frame) == 1) {
        started.countDown();
        await(proceed);
      }
      super.handle(frame, out);
    }
  }

  @ParameterizedTest
  @EnumSource(Execution.class)
  void aClientThatGoesIsNoticedWhileItsMessageRuns(Execution execution) throws Exception {
    var made = new CompletableFuture<LongRunning>();
    try (var transport =
        Transport.open(
            options,
            connection -> make(made, connection, execution),
            Memories.ample(),
            log,
            BackgroundLoops.silent())) {
      var client = new TestClient(transport).send(Frames.frame(1, 20));
      LongRunning handler = made.get(Eventually.DEADLINE_SECONDS, TimeUnit.SECONDS);
      EchoHandler.await(handler.started);
      assertThat(handler.connection.isOpen()).isTrue();
      client.close();
      EchoHandler.await(handler.disconnected);
      assertThat(handler.connection.isOpen()).isFalse();
      assertThat(handler.closed.getCount()).as("not while it is handling").isEqualTo(1);
      handler.proceed.countDown();
      EchoHandler.await(handler.closed);
      Eventually.await("it is gone", () -> transport.counts().current() == 0);
    }
    assertThat(log.lines).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(Execution.class)
  void messagesThatArriveDuringALongOneAreKeptInOrder(Execution execution) throws Exception {
    var made = new CompletableFuture<LongRunning>();
    try (var transport =
            Transport.open(
                options,
                connection -> make(made, connection, execution),
                Memories.ample(),
                log,
                BackgroundLoops.silent());
        var client = new TestClient(transport)) {
      client.send(Frames.frame(1, 20), Frames.frame(2, 20));
      LongRunning handler = made.get(Eventually.DEADLINE_SECONDS, TimeUnit.SECONDS);
      EchoHandler.await(handler.started);
      byte[] large = Frames.frame(3, 200_000);
      var sender =
          Thread.ofPlatform()
              .start(
                  () -> {
                    try {
                      client.send(large, Frames.frame(4, 20));
                    } catch (IOException e) {
                      throw new AssertionError(e);
                    }
                  });
      // Long enough for the watch to come by and read ahead.
      long start = System.nanoTime();
      Eventually.await(
          "two rounds of the watch",
          () -> System.nanoTime() - start > TimeUnit.MILLISECONDS.toNanos(1_300));
      assertThat(handler.disconnected.getCount()).isEqualTo(1);
      handler.proceed.countDown();
      for (int number = 1; number <= 4; number++) {
        byte[] reply = client.receive();
        assertThat(Frames.number(reply)).isEqualTo(number);
        if (number == 3) {
          assertThat(reply).isEqualTo(large);
        }
      }
      sender.join();
    }
    assertThat(log.lines).isEmpty();
  }

  @Test
  void whatWasReadAheadComesAfterWhatHadArrivedBefore() throws Exception {
    var made = new CompletableFuture<LongRunning>();
    ConnectionHandlerFactory handlers =
        connection -> {
          var handler =
              new LongRunning(connection, Execution.RUN) {
                @Override
                public Execution classify(byte[] frame) {
                  return Frames.number(frame) == 2 ? Execution.WAIT : Execution.RUN;
                }
              };
          made.complete(handler);
          return handler;
        };
    try (var transport =
            Transport.open(options, handlers, Memories.ample(), log, BackgroundLoops.silent());
        var client = new TestClient(transport)) {
      client.send(Frames.frame(1, 20), Frames.frame(2, 20), Frames.frame(3, 20));
      LongRunning handler = made.get(Eventually.DEADLINE_SECONDS, TimeUnit.SECONDS);
      EchoHandler.await(handler.started);
      client.send(Frames.frame(4, 20));
      // Long enough for the watch to come by and read ahead.
      long start = System.nanoTime();
      Eventually.await(
          "two rounds of the watch",
          () -> System.nanoTime() - start > TimeUnit.MILLISECONDS.toNanos(1_300));
      handler.proceed.countDown();
      for (int number = 1; number <= 4; number++) {
        assertThat(Frames.number(client.receive())).isEqualTo(number);
      }
    }
    assertThat(log.lines).isEmpty();
  }

  @Test
  void aBrokenConnectionTurnsAStreamingHandlerOff() throws Exception {
    var stopped = new CountDownLatch(1);
    ConnectionHandlerFactory streaming =
        connection ->
            new EchoHandler(connection) {
              @Override
              public void handle(byte[] frame, ReplyChannel out) {
                while (out.isOpen()) {
                  super.handle(frame, out);
                }
                stopped.countDown();
              }
            };
    try (var transport =
        Transport.open(options, streaming, Memories.ample(), log, BackgroundLoops.silent())) {
      var client = new TestClient(transport).send(Frames.frame(1, 1000));
      client.receive();
      client.close();
      EchoHandler.await(stopped);
      Eventually.await("it is gone", () -> transport.counts().current() == 0);
    }
    assertThat(log.lines).isEmpty();
  }

  @Test
  void anIdleClientThatGoesIsForgotten() throws Exception {
    var handlers = new CopyOnWriteArrayList<EchoHandler>();
    try (var transport =
        Transport.open(
            options,
            connection -> {
              handlers.add(new EchoHandler(connection));
              return handlers.getLast();
            },
            Memories.ample(),
            log,
            BackgroundLoops.silent())) {
      var client = new TestClient(transport);
      client.call(Frames.frame(1, 20));
      Eventually.await("parked", () -> transport.counts().threaded() == 0);
      client.close();
      EchoHandler.await(handlers.getFirst().closed);
      assertThat(handlers.getFirst().disconnected.getCount())
          .as("nothing was running")
          .isEqualTo(1);
    }
  }

  private static LongRunning make(
      CompletableFuture<LongRunning> made, ConnectionContext connection, Execution execution) {
    var handler = new LongRunning(connection, execution);
    made.complete(handler);
    return handler;
  }
}
