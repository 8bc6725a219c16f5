package dev.wisent.server.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.base.Limits;
import dev.wisent.base.loop.BackgroundLoops;
import dev.wisent.server.harness.Eventually;
import dev.wisent.server.memory.MessageMemory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Large messages and a budget into which few of them fit. */
class MessageMemoryTransportTest {
  private static final int LARGE = 1 << 20;

  private final RecordingLog log = new RecordingLog();

  /** Four large messages, and the small ones of sixteen connections. */
  private final MessageMemory memory =
      Memories.of(4 * LARGE + 16 * Limits.MESSAGE_BYTES_UNCOUNTED_MAX);

  private final TransportOptions options =
      TransportOptions.listeningOn(List.of("127.0.0.1"), 0).withIdleParkMillis(5);

  {
    memory.slowClientMillis(500);
  }

  private static byte[] half(int number) {
    return Arrays.copyOf(Frames.frame(number, LARGE), LARGE / 2);
  }

  @Test
  void halfSentMessagesHoldTheBudgetUntilTheyAreDropped() throws Exception {
    var clients = new ArrayList<TestClient>();
    try (var transport =
        Transport.open(options, EchoHandler::new, memory, log, BackgroundLoops.silent())) {
      for (int i = 0; i < 20; i++) {
        clients.add(new TestClient(transport).send(half(i)));
      }
      Eventually.await("most have to wait", () -> memory.counts().arriving() > 0);
      assertThat(memory.counts().usedBytes()).isLessThanOrEqualTo(memory.bytesMax());
      try (var small = new TestClient(transport)) {
        assertThat(Frames.number(small.call(Frames.frame(77, 1000)))).isEqualTo(77);
      }
      try (var patient = new TestClient(transport)) {
        assertThat(Frames.number(patient.call(Frames.frame(78, LARGE)))).isEqualTo(78);
      }
      for (TestClient client : clients) {
        client.close();
      }
      Eventually.await("nothing is held", () -> memory.counts().usedBytes() == 0);
    }
    assertThat(log.lines).contains("slow").containsOnly("slow");
    assertThat(memory.counts().slowClients()).isEqualTo(log.lines.size());
  }

  @Test
  void slowClientsMayStayWhileTheirMemoryIsNotWanted() throws Exception {
    try (var transport =
            Transport.open(options, EchoHandler::new, memory, log, BackgroundLoops.silent());
        var slow = new TestClient(transport)) {
      byte[] message = Frames.frame(5, LARGE);
      slow.send(half(5));
      Eventually.await("it is begun", () -> memory.counts().usedBytes() == LARGE);
      try (var other = new TestClient(transport)) {
        for (int i = 0; i < 20; i++) {
          assertThat(Frames.number(other.call(Frames.frame(i, LARGE)))).isEqualTo(i);
        }
      }
      slow.send(Arrays.copyOfRange(message, LARGE / 2, LARGE));
      assertThat(slow.receive()).isEqualTo(message);
      Eventually.await("nothing is held", () -> memory.counts().usedBytes() == 0);
    }
    assertThat(log.lines).isEmpty();
  }

  @Test
  void messagesWaitForTheirTurnAndAllAreServed() throws Exception {
    var most = new AtomicInteger();
    var running = new AtomicInteger();
    ConnectionHandlerFactory counting =
        connection ->
            new EchoHandler(connection) {
              @Override
              public void handle(byte[] frame, ReplyChannel out) {
                most.accumulateAndGet(running.incrementAndGet(), Math::max);
                super.handle(frame, out);
                running.decrementAndGet();
              }
            };
    try (var transport = Transport.open(options, counting, memory, log, BackgroundLoops.silent())) {
      var senders = new ArrayList<Thread>();
      var done = new CountDownLatch(12);
      for (int i = 0; i < 12; i++) {
        int number = i;
        senders.add(
            Thread.ofPlatform()
                .start(
                    () -> {
                      try (var client = new TestClient(transport)) {
                        for (int round = 0; round < 3; round++) {
                          byte[] frame = Frames.frame(number, LARGE);
                          assertThat(client.call(frame)).isEqualTo(frame);
                        }
                        done.countDown();
                      } catch (IOException e) {
                        throw new AssertionError(e);
                      }
                    }));
      }
      for (Thread sender : senders) {
        sender.join();
      }
      assertThat(done.getCount()).isZero();
      assertThat(most.get()).isLessThanOrEqualTo(5);
      assertThat(memory.counts().peakBytes()).isLessThanOrEqualTo(memory.bytesMax());
      Eventually.await("nothing is held", () -> memory.counts().usedBytes() == 0);
    }
    assertThat(log.lines).isEmpty();
  }

  @Test
  void aMessageLargerThanTheBudgetIsServedAlone() throws Exception {
    try (var transport =
            Transport.open(options, EchoHandler::new, memory, log, BackgroundLoops.silent());
        var client = new TestClient(transport)) {
      byte[] frame = Frames.frame(3, 8 * LARGE);
      assertThat(client.call(frame)).isEqualTo(frame);
    }
  }

  @Test
  void clientsThatDoNotReadLargeRepliesAreDroppedForOthers() throws Exception {
    var clients = new ArrayList<TestClient>();
    int reply = 32 * LARGE;
    ConnectionHandlerFactory large =
        connection ->
            new EchoHandler(connection) {
              @Override
              public void handle(byte[] frame, ReplyChannel out) {
                if (frame.length < LARGE) {
                  super.handle(frame, out);
                } else {
                  out.write(Frames.frame(1, reply), 0, reply);
                }
              }
            };
    try (var transport = Transport.open(options, large, memory, log, BackgroundLoops.silent())) {
      for (int i = 0; i < 4; i++) {
        clients.add(new TestClient(transport).send(Frames.frame(i, LARGE)));
      }
      Eventually.await("all hold their message", () -> transport.counts().active() == 4);
      try (var other = new TestClient(transport)) {
        // Waits until the memory of at least one is free.
        other.send(Frames.frame(9, LARGE));
        assertThat(other.receive()).hasSize(reply);
      }
      for (TestClient client : clients) {
        client.close();
      }
      Eventually.await("nothing is held", () -> memory.counts().usedBytes() == 0);
    }
    assertThat(log.lines).contains("slow");
  }

  @Test
  void closingGivesUpWhatWaits() throws Exception {
    memory.slowClientMillis(600_000);
    var clients = new ArrayList<TestClient>();
    var transport =
        Transport.open(options, EchoHandler::new, memory, log, BackgroundLoops.silent());
    for (int i = 0; i < 20; i++) {
      clients.add(new TestClient(transport).send(half(i)));
    }
    Eventually.await("most have to wait", () -> memory.counts().arriving() > 10);
    transport.close();
    assertThat(memory.counts().usedBytes()).isZero();
    assertThat(memory.counts().arriving()).isZero();
    for (TestClient client : clients) {
      assertThat(client.isClosedByServer()).isTrue();
      client.close();
    }
    assertThat(log.lines).isEmpty();
  }

  @Test
  void theBeginningsOfSmallMessagesAreCountedWhileTheirClientIsSilent() throws Exception {
    byte[] message = Frames.frame(1, 60_000);
    try (var transport =
            Transport.open(options, EchoHandler::new, memory, log, BackgroundLoops.silent());
        var client = new TestClient(transport)) {
      client.send(Arrays.copyOf(message, 30_000));
      Eventually.await("it is counted", () -> memory.counts().usedBytes() == message.length);
      client.send(Arrays.copyOfRange(message, 30_000, message.length));
      assertThat(client.receive()).isEqualTo(message);
      Eventually.await("nothing is held", () -> memory.counts().usedBytes() == 0);
    }
  }
}
