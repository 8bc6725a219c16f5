package dev.wisent.server.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.base.Limits;
import dev.wisent.base.loop.BackgroundLoops;
import dev.wisent.server.harness.Eventually;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConnectionLimitsTest {
  private final RecordingLog log = new RecordingLog();
  private final TransportOptions options =
      TransportOptions.listeningOn(List.of("127.0.0.1"), 0).withIdleParkMillis(5);

  @ParameterizedTest
  @ValueSource(ints = {0, 15, -1, Integer.MIN_VALUE, Limits.MESSAGE_BYTES_MAX + 1})
  void anImpossibleLengthClosesThatConnectionOnly(int length) throws Exception {
    try (var transport =
            Transport.open(
                options, EchoHandler::new, Memories.ample(), log, BackgroundLoops.silent());
        var good = new TestClient(transport);
        var bad = new TestClient(transport)) {
      assertThat(Frames.number(good.call(Frames.frame(1, 20)))).isEqualTo(1);
      assertThat(Frames.number(bad.call(Frames.frame(2, 20)))).isEqualTo(2);
      bad.send(Frames.lengthOnly(length));
      assertThat(bad.isClosedByServer()).isTrue();
      assertThat(log.lines)
          .containsExactly(
              "malformed message length " + length + " is not between 16 and 48000000");
      assertThat(Frames.number(good.call(Frames.frame(3, 20)))).isEqualTo(3);
      Eventually.await("one is left", () -> transport.counts().current() == 1);
    }
  }

  @Test
  void manyAnnouncedMessagesDoNotTakeTheirMemory() throws Exception {
    // 64 x 48 MB would be three times the heap of the tests.
    var clients = new TestClient[64];
    try (var transport =
        Transport.open(
            options, EchoHandler::new, Memories.of(1 << 20), log, BackgroundLoops.silent())) {
      for (int i = 0; i < clients.length; i++) {
        clients[i] =
            new TestClient(transport)
                .send(Frames.lengthOnly(Limits.MESSAGE_BYTES_MAX), new byte[96]);
      }
      Eventually.await("all are accepted", () -> transport.counts().current() == clients.length);
      Eventually.await("and parked", () -> transport.counts().threaded() == 0);
      try (var client = new TestClient(transport)) {
        assertThat(Frames.number(client.call(Frames.frame(4, 20)))).isEqualTo(4);
      }
      for (TestClient client : clients) {
        client.close();
      }
    }
    assertThat(log.lines).isEmpty();
  }

  @Test
  void connectionsBeyondTheLimitAreTurnedAway() throws Exception {
    try (var transport =
        Transport.open(
            options.withConnectionsMax(2).withReservedConnections(0),
            EchoHandler::new,
            Memories.ample(),
            log,
            BackgroundLoops.silent())) {
      try (var first = new TestClient(transport);
          var second = new TestClient(transport)) {
        first.call(Frames.frame(1, 20));
        second.call(Frames.frame(1, 20));
        try (var third = new TestClient(transport)) {
          assertThat(third.isClosedByServer()).isTrue();
        }
        Eventually.await("it is logged", () -> log.lines.equals(List.of("refused 2")));
        assertThat(transport.counts())
            .extracting(
                ConnectionCounts::current,
                ConnectionCounts::available,
                ConnectionCounts::totalCreated,
                ConnectionCounts::rejected)
            .containsExactly(2, 0, 2L, 1L);
        first.call(Frames.frame(2, 20));
      }
      Eventually.await("both are gone", () -> transport.counts().current() == 0);
      try (var later = new TestClient(transport)) {
        assertThat(Frames.number(later.call(Frames.frame(3, 20)))).isEqualTo(3);
      }
    }
  }

  @Test
  void withoutWorkersAReserveThreadServesAndSaysSo() throws Exception {
    var proceed = new CountDownLatch(1);
    ConnectionHandlerFactory telling =
        connection ->
            new EchoHandler(connection) {
              @Override
              public void handle(byte[] frame, ReplyChannel out) {
                if (Frames.number(frame) == 1) {
                  await(proceed);
                }
                super.handle(Frames.frame(connection.isReserved() ? -1 : -2, 20), out);
              }
            };
    try (var transport =
            Transport.open(
                options.withWorkersMax(2),
                telling,
                Memories.ample(),
                log,
                BackgroundLoops.silent());
        var first = new TestClient(transport);
        var second = new TestClient(transport)) {
      first.send(Frames.frame(1, 20));
      second.send(Frames.frame(1, 20));
      Eventually.await("both are busy", () -> transport.counts().active() == 2);
      for (int i = 0; i < 5; i++) {
        try (var third = new TestClient(transport)) {
          assertThat(Frames.number(third.call(Frames.frame(2, 20)))).isEqualTo(-1);
          assertThat(Frames.number(third.call(Frames.frame(3, 20)))).isEqualTo(-1);
        }
      }
      proceed.countDown();
      assertThat(Frames.number(first.receive())).isEqualTo(-2);
      assertThat(Frames.number(second.receive())).isEqualTo(-2);
    }
    assertThat(log.lines).isEmpty();
  }

  @Test
  void aSlowReaderHoldsUpItsOwnHandlerOnly() throws Exception {
    int replies = 400;
    int replyBytes = 256 * 1024;
    var written = new AtomicInteger();
    var done = new CountDownLatch(1);
    ConnectionHandlerFactory flood =
        connection ->
            new EchoHandler(connection) {
              @Override
              public void handle(byte[] frame, ReplyChannel out) {
                if (Frames.number(frame) != -1) {
                  super.handle(frame, out);
                  return;
                }
                for (int i = 0; i < replies; i++) {
                  out.write(Frames.frame(i, replyBytes), 0, replyBytes);
                  written.incrementAndGet();
                }
                done.countDown();
              }
            };
    try (var transport =
            Transport.open(options, flood, Memories.ample(), log, BackgroundLoops.silent());
        var slow = new TestClient(transport);
        var other = new TestClient(transport)) {
      slow.send(Frames.frame(-1, 16));
      Eventually.await("the flood has begun", () -> written.get() > 0);
      // The kernel's buffers take a few megabytes of the hundred; then the handler is held up.
      for (int i = 0; i < 2000; i++) {
        assertThat(Frames.number(other.call(Frames.frame(i, 100)))).isEqualTo(i);
      }
      assertThat(done.getCount()).isEqualTo(1);
      assertThat(written.get()).isLessThan(replies / 2);
      for (int i = 0; i < replies; i++) {
        byte[] reply = slow.receive();
        assertThat(reply.length).isEqualTo(replyBytes);
        assertThat(Frames.number(reply)).isEqualTo(i);
      }
      EchoHandler.await(done);
    }
  }

  @Test
  void aFailingHandlerLosesItsConnectionOnly() throws Exception {
    var ended = new CopyOnWriteArrayList<Long>();
    ConnectionHandlerFactory failing =
        connection ->
            new EchoHandler(connection) {
              @Override
              public void handle(byte[] frame, ReplyChannel out) {
                if (Frames.number(frame) == 13) {
                  throw new IllegalStateException("thirteen");
                }
                super.handle(frame, out);
              }

              @Override
              public void closed() {
                ended.add(connection.id());
              }
            };
    try (var transport =
            Transport.open(options, failing, Memories.ample(), log, BackgroundLoops.silent());
        var unlucky = new TestClient(transport)) {
      unlucky.call(Frames.frame(1, 20));
      try (var other = new TestClient(transport)) {
        other.call(Frames.frame(1, 20));
        unlucky.send(Frames.frame(13, 20));
        assertThat(unlucky.isClosedByServer()).isTrue();
        Eventually.await("the handler is told", () -> ended.equals(List.of(1L)));
        assertThat(log.lines).containsExactly("failed thirteen");
        assertThat(Frames.number(other.call(Frames.frame(2, 20)))).isEqualTo(2);
      }
    }
  }

  @Test
  void anInterruptLeftByAHandlerDoesNotCloseItsConnection() throws Exception {
    ConnectionHandlerFactory interrupted =
        connection ->
            new EchoHandler(connection) {
              @Override
              public void handle(byte[] frame, ReplyChannel out) {
                super.handle(frame, out);
                Thread.currentThread().interrupt();
              }
            };
    try (var transport =
            Transport.open(options, interrupted, Memories.ample(), log, BackgroundLoops.silent());
        var client = new TestClient(transport)) {
      for (int i = 0; i < 50; i++) {
        assertThat(Frames.number(client.call(Frames.frame(i, 20)))).isEqualTo(i);
      }
    }
  }
}
