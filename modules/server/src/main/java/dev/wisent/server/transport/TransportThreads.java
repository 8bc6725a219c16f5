package dev.wisent.server.transport;

import java.io.IOException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The threads of connections; what runs for all of them is in background loops. */
final class TransportThreads {
  private static final int WORKER_KEEP_ALIVE_SECONDS = 5;

  /** Kept for when no more workers can be started. */
  private static final int RESERVE_WORKERS = 2;

  private static final int RESERVE_QUEUE_MAX = 1_000;

  /** Has no queue: a connection with something to read gets a thread at once. */
  private final ThreadPoolExecutor workers;

  /** Started in advance: later there may be no memory or no number for a thread. */
  private final ThreadPoolExecutor reserve =
      new ThreadPoolExecutor(
          RESERVE_WORKERS,
          RESERVE_WORKERS,
          0,
          TimeUnit.SECONDS,
          new LinkedBlockingQueue<>(RESERVE_QUEUE_MAX),
          Thread.ofPlatform().daemon().name("conn-reserve").factory());

  TransportThreads(int workersMax) {
    workers =
        new ThreadPoolExecutor(
            0,
            workersMax,
            WORKER_KEEP_ALIVE_SECONDS,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            Thread.ofPlatform().daemon().name("conn-idle").factory());
    reserve.prestartAllCoreThreads();
  }

  void startWorker(Connection connection) throws IOException {
    try {
      workers.execute(connection);
    } catch (RejectedExecutionException | OutOfMemoryError noThread) {
      startOnReserve(connection);
    }
  }

  private void startOnReserve(Connection connection) throws IOException {
    try {
      reserve.execute(connection::runOnReserve);
    } catch (RejectedExecutionException e) {
      throw new IOException("there is no thread left, or the transport is closed", e);
    }
  }

  void startWaiter(Runnable task) {
    Thread.ofVirtual().name("conn-wait").start(task);
  }

  /** Lets idle workers end at once; those at work end with their connection. */
  void close(long timeoutNanos) throws InterruptedException {
    workers.shutdown();
    reserve.shutdown();
    workers.awaitTermination(timeoutNanos, TimeUnit.NANOSECONDS);
    reserve.awaitTermination(timeoutNanos, TimeUnit.NANOSECONDS);
  }
}
