package dev.wisent.server.transport;

import dev.wisent.server.harness.Eventually;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Sends every message back; tests override what they are about. */
class EchoHandler implements ConnectionHandler {
  final ConnectionContext connection;
  final CountDownLatch disconnected = new CountDownLatch(1);
  final CountDownLatch closed = new CountDownLatch(1);

  EchoHandler(ConnectionContext connection) {
    this.connection = connection;
  }

  @Override
  public long bytesNeeded(byte[] start, int length) {
    return length;
  }

  @Override
  public void parked() {}

  @Override
  public Execution classify(byte[] frame) {
    return Execution.RUN;
  }

  @Override
  public void handle(byte[] frame, ReplyChannel out) {
    out.write(frame, 0, frame.length);
  }

  @Override
  public void disconnected() {
    disconnected.countDown();
  }

  @Override
  public void closed() {
    closed.countDown();
  }

  /** For use in a handler: waits for a test to go on, failing rather than hanging. */
  static void await(CountDownLatch latch) {
    try {
      if (!latch.await(Eventually.DEADLINE_SECONDS, TimeUnit.SECONDS)) {
        throw new AssertionError("the test did not go on");
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
