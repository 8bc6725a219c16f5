package dev.wisent.server.transport;

import java.io.IOException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The threads of connections; what runs for all of them is in background loops. */
final class TransportThreads {
  private static final int WORKER_KEEP_ALIVE_SECONDS = 5;

  /** Has no queue: a connection with something to read gets a thread at once. */
  private final ThreadPoolExecutor workers =
      new ThreadPoolExecutor(
          0,
          Integer.MAX_VALUE,
          WORKER_KEEP_ALIVE_SECONDS,
          TimeUnit.SECONDS,
          new SynchronousQueue<>(),
          Thread.ofPlatform().daemon().name("conn-idle").factory());

  void startWorker(Connection connection) throws IOException {
    try {
      workers.execute(connection);
    } catch (RejectedExecutionException e) {
      throw new IOException("the transport is closed", e);
    }
  }

  void startWaiter(Runnable task) {
    Thread.ofVirtual().name("conn-wait").start(task);
  }

  /** Lets idle workers end at once; those at work end with their connection. */
  void close(long timeoutNanos) throws InterruptedException {
    workers.shutdown();
    workers.awaitTermination(timeoutNanos, TimeUnit.NANOSECONDS);
  }
}
