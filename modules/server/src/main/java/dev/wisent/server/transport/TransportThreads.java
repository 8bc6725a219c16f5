package dev.wisent.server.transport;

import java.io.IOException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Every thread of a transport is started here. */
final class TransportThreads {
  private static final int WORKER_KEEP_ALIVE_SECONDS = 5;

  private final ThreadFactory services = Thread.ofPlatform().daemon().factory();

  /** Has no queue: a connection with something to read gets a thread at once. */
  private final ThreadPoolExecutor workers =
      new ThreadPoolExecutor(
          0,
          Integer.MAX_VALUE,
          WORKER_KEEP_ALIVE_SECONDS,
          TimeUnit.SECONDS,
          new SynchronousQueue<>(),
          Thread.ofPlatform().daemon().name("conn-idle").factory());

  /** Starts a thread that lives as long as the transport. */
  Thread startService(String name, Runnable service) {
    Thread thread = services.newThread(service);
    thread.setName(name);
    thread.start();
    return thread;
  }

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
