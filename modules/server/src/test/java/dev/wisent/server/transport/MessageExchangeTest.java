package dev.wisent.server.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.base.loop.BackgroundLoops;
import dev.wisent.server.harness.Eventually;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class MessageExchangeTest {
  private final RecordingLog log = new RecordingLog();

  private Transport open(ConnectionHandlerFactory handlers) throws IOException {
    // Parks quickly, so that these tests cross the path through the selector often.
    var options = TransportOptions.listeningOn(List.of("127.0.0.1"), 0).withIdleParkMillis(5);
    return Transport.open(options, handlers, Memories.ample(), log, BackgroundLoops.silent());
  }

  @Test
  void aMessageIsAnswered() throws Exception {
    try (var transport = open(EchoHandler::new);
        var client = new TestClient(transport)) {
      byte[] message = Frames.frame(1, 120);
      assertThat(client.call(message)).isEqualTo(message);
    }
    assertThat(log.lines).isEmpty();
  }

  @Test
  void pipelinedMessagesAreHandledInOrder() throws Exception {
    try (var transport = open(EchoHandler::new);
        var client = new TestClient(transport)) {
      byte[][] messages = new byte[1000][];
      for (int i = 0; i < messages.length; i++) {
        messages[i] = Frames.frame(i, 16 + i % 300);
      }
      client.send(messages);
      for (byte[] message : messages) {
        assertThat(client.receive()).isEqualTo(message);
      }
    }
  }

  @Test
  void aMessageMayArriveByteByByteAcrossPauses() throws Exception {
    try (var transport = open(EchoHandler::new);
        var client = new TestClient(transport)) {
      byte[] message = Frames.frame(3, 40);
      Eventually.await("accepted", () -> transport.counts().current() == 1);
      for (int i = 0; i < message.length; i++) {
        if (i % 8 == 1) {
          Eventually.await("parked amid a message", () -> transport.counts().threaded() == 0);
        }
        client.send(new byte[] {message[i]});
      }
      assertThat(client.receive()).isEqualTo(message);
    }
  }

  @Test
  void largeMessagesGoBothWays() throws Exception {
    try (var transport = open(EchoHandler::new);
        var client = new TestClient(transport)) {
      byte[] large = Frames.frame(1, 17_000_003);
      byte[] small = Frames.frame(2, 50);
      var sender = Thread.ofPlatform().start(() -> sendAll(client, large, small));
      assertThat(client.receive()).isEqualTo(large);
      assertThat(client.receive()).isEqualTo(small);
      sender.join();
    }
  }

  private static void sendAll(TestClient client, byte[]... frames) {
    try {
      client.send(frames);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void whatWasSentBeforeAHalfCloseIsAnswered() throws Exception {
    var handlers = new CopyOnWriteArrayList<EchoHandler>();
    try (var transport = open(connection -> remember(handlers, new EchoHandler(connection)));
        var client = new TestClient(transport)) {
      client.send(Frames.frame(1, 30), Frames.frame(2, 30), Frames.frame(3, 30));
      client.endSending();
      assertThat(Frames.number(client.receive())).isEqualTo(1);
      assertThat(Frames.number(client.receive())).isEqualTo(2);
      assertThat(Frames.number(client.receive())).isEqualTo(3);
      assertThat(client.isClosedByServer()).isTrue();
      EchoHandler.await(handlers.getFirst().closed);
    }
    assertThat(log.lines).isEmpty();
  }

  @Test
  void aMessageMayHaveNoReplyOrSeveral() throws Exception {
    ConnectionHandlerFactory asManyAsItsNumber =
        connection ->
            new EchoHandler(connection) {
              @Override
              public void handle(byte[] frame, ReplyChannel out) {
                for (int i = 0; i < Frames.number(frame); i++) {
                  super.handle(frame, out);
                }
              }
            };
    try (var transport = open(asManyAsItsNumber);
        var client = new TestClient(transport)) {
      client.send(Frames.frame(0, 20), Frames.frame(3, 20), Frames.frame(0, 20));
      for (int i = 0; i < 3; i++) {
        assertThat(Frames.number(client.receive())).isEqualTo(3);
      }
      assertThat(Frames.number(client.call(Frames.frame(1, 20)))).isEqualTo(1);
    }
  }

  @Test
  void waitingMessagesHoldNoWorkerAndKeepTheOrder() throws Exception {
    var proceed = new CountDownLatch(1);
    var virtual = new CopyOnWriteArrayList<Boolean>();
    ConnectionHandlerFactory waitForOdd =
        connection ->
            new EchoHandler(connection) {
              @Override
              public Execution classify(byte[] frame) {
                return Frames.number(frame) % 2 == 1 ? Execution.WAIT : Execution.RUN;
              }

              @Override
              public void handle(byte[] frame, ReplyChannel out) {
                virtual.add(Thread.currentThread().isVirtual());
                if (Frames.number(frame) == 1) {
                  await(proceed);
                }
                super.handle(frame, out);
              }
            };
    try (var transport = open(waitForOdd);
        var client = new TestClient(transport)) {
      byte[][] messages = new byte[6][];
      for (int i = 0; i < messages.length; i++) {
        messages[i] = Frames.frame(i, 64);
      }
      client.send(messages);
      Eventually.await("second message is waiting", () -> virtual.size() == 2);
      assertThat(transport.counts().active()).isEqualTo(1);
      proceed.countDown();
      for (byte[] message : messages) {
        assertThat(client.receive()).isEqualTo(message);
      }
      assertThat(virtual).containsExactly(false, true, false, true, false, true);
      byte[] afterWards = Frames.frame(8, 64);
      assertThat(client.call(afterWards)).isEqualTo(afterWards);
    }
    assertThat(log.lines).isEmpty();
  }

  @Test
  void fiveHundredConnectionsNeedFewThreadsWhenIdle() throws Exception {
    var clients = new ArrayList<TestClient>();
    try (var transport = open(EchoHandler::new)) {
      for (int i = 0; i < 500; i++) {
        clients.add(new TestClient(transport));
      }
      for (int round = 0; round < 3; round++) {
        for (int i = 0; i < clients.size(); i++) {
          clients.get(i).send(Frames.frame(i, 100));
        }
        for (int i = 0; i < clients.size(); i++) {
          assertThat(Frames.number(clients.get(i).receive())).isEqualTo(i);
        }
      }
      assertThat(transport.counts().current()).isEqualTo(500);
      assertThat(transport.counts().totalCreated()).isEqualTo(500);
      Eventually.await("all are parked", () -> transport.counts().threaded() == 0);
      assertThat(Frames.number(clients.get(77).call(Frames.frame(5, 16)))).isEqualTo(5);
      for (TestClient client : clients) {
        client.close();
      }
      Eventually.await("all are gone", () -> transport.counts().current() == 0);
    }
    assertThat(log.lines).isEmpty();
  }

  @Test
  void busyConnectionsKeepTheirThreadUpToTheLimit() throws Exception {
    var options =
        TransportOptions.listeningOn(List.of("127.0.0.1"), 0)
            .withIdleParkMillis(200)
            .withDedicatedThreadsMax(1);
    try (var transport =
            Transport.open(
                options, EchoHandler::new, Memories.ample(), log, BackgroundLoops.silent());
        var first = new TestClient(transport);
        var second = new TestClient(transport)) {
      for (int i = 0; i < 2000; i++) {
        first.call(Frames.frame(i, 16));
        second.call(Frames.frame(i, 16));
      }
      Eventually.await("one of two is parked", () -> transport.counts().threaded() == 1);
      assertThat(Frames.number(first.call(Frames.frame(9, 16)))).isEqualTo(9);
      assertThat(Frames.number(second.call(Frames.frame(9, 16)))).isEqualTo(9);
    }
  }

  private static EchoHandler remember(List<EchoHandler> handlers, EchoHandler handler) {
    handlers.add(handler);
    return handler;
  }
}
