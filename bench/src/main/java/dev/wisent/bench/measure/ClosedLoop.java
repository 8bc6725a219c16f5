package dev.wisent.bench.measure;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.HdrHistogram.Histogram;

/** Drives clients that each send the next operation as soon as the last is answered. */
public final class ClosedLoop {
  private static final long LATENCY_NANOS_MAX = 600_000_000_000L;
  private static final int SIGNIFICANT_DIGITS = 3;

  private final List<? extends Client> clients;
  private final Limit limit;
  private final CountDownLatch start = new CountDownLatch(1);
  private final AtomicReference<Exception> failure = new AtomicReference<>();
  private final long[] units;
  private final Histogram[] latencies;

  private volatile long deadlineNanos;

  private ClosedLoop(List<? extends Client> clients, Limit limit) {
    this.clients = clients;
    this.limit = limit;
    this.units = new long[clients.size()];
    this.latencies = new Histogram[clients.size()];
  }

  /** Runs until the limit, or until a client fails; then the first failure is thrown. */
  public static Outcome run(List<? extends Client> clients, Limit limit) throws Exception {
    return new ClosedLoop(clients, limit).run();
  }

  private Outcome run() throws Exception {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < clients.size(); i++) {
      int client = i;
      threads.add(Thread.ofPlatform().name("client-" + i).daemon().start(() -> drive(client)));
    }
    long startNanos = System.nanoTime();
    deadlineNanos = startNanos + limit.time().toNanos();
    start.countDown();
    for (Thread thread : threads) {
      thread.join();
    }
    long elapsedNanos = System.nanoTime() - startNanos;
    if (failure.get() != null) {
      throw failure.get();
    }
    return merge(elapsedNanos);
  }

  private void drive(int client) {
    Histogram histogram = newHistogram();
    latencies[client] = histogram;
    long remaining = limit.operationsOf(client, clients.size());
    Client driven = clients.get(client);
    try {
      start.await();
      while (remaining-- > 0 && failure.get() == null) {
        long before = System.nanoTime();
        if (before - deadlineNanos >= 0) {
          return;
        }
        units[client] += driven.operate();
        histogram.recordValue(Math.min(System.nanoTime() - before, LATENCY_NANOS_MAX));
      }
    } catch (Exception e) {
      failure.compareAndSet(null, e);
    } catch (Error e) {
      failure.compareAndSet(null, new IllegalStateException("client failed: " + e, e));
    }
  }

  private Outcome merge(long elapsedNanos) {
    Histogram all = newHistogram();
    long total = 0;
    for (int i = 0; i < units.length; i++) {
      all.add(latencies[i]);
      total += units[i];
    }
    return new Outcome(total, elapsedNanos, all);
  }

  private static Histogram newHistogram() {
    return new Histogram(LATENCY_NANOS_MAX, SIGNIFICANT_DIGITS);
  }
}
