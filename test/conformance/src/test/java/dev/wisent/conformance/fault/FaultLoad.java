package dev.wisent.conformance.fault;

import com.mongodb.MongoException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;

/** The clients of the fault test and everything they were told. */
final class FaultLoad implements AutoCloseable {

  private static final int CLIENTS = 8;
  private static final int END_TIMEOUT_SECONDS = 120;

  private final InsertHistory inserts = new InsertHistory();
  private final CounterHistory counters = new CounterHistory();
  private final RegisterHistory register = new RegisterHistory(0);
  private final AtomicLong registerValues = new AtomicLong();
  private final AtomicLong steps = new AtomicLong();
  private final Map<String, Integer> errors = new TreeMap<>();
  private final ExecutorService executor = Executors.newCachedThreadPool();
  private final List<Future<?>> running = new ArrayList<>();
  private volatile boolean stopping;

  void start(String uri, RandomGenerator.SplittableGenerator random) {
    for (int i = 0; i < CLIENTS; i++) {
      String name = "client" + i;
      RandomGenerator choices = random.split();
      running.add(executor.submit(() -> run(name, choices, uri)));
    }
  }

  private void run(String name, RandomGenerator choices, String uri) {
    try (FaultClient client = new FaultClient(name, choices, this, uri)) {
      while (!stopping) {
        client.step();
        steps.incrementAndGet();
      }
    }
  }

  /** Whether a client has found something that no fault explains. */
  boolean endedEarly() {
    return running.stream().anyMatch(Future::isDone);
  }

  /** Ends the load; fails with what a client found. */
  void stop() {
    stopping = true;
    for (Future<?> future : running) {
      try {
        future.get(END_TIMEOUT_SECONDS, TimeUnit.SECONDS);
      } catch (InterruptedException | ExecutionException | TimeoutException e) {
        throw new AssertionError("a client failed: " + e, e);
      }
    }
  }

  long nextRegisterValue() {
    return registerValues.incrementAndGet();
  }

  /** Counts what clients were told while something was broken. */
  void failed(String client, MongoException error) {
    String what = error.getClass().getSimpleName() + " " + error.getCode();
    synchronized (errors) {
      errors.merge(what, 1, Integer::sum);
    }
  }

  long steps() {
    return steps.get();
  }

  /** Writes that were acknowledged so far. */
  long acknowledged() {
    return inserts.acknowledgedCount()
        + counters.acknowledgedCount()
        + register.acknowledgedCount();
  }

  InsertHistory inserts() {
    return inserts;
  }

  CounterHistory counters() {
    return counters;
  }

  RegisterHistory register() {
    return register;
  }

  String summary() {
    synchronized (errors) {
      return "%d inserts, %d increments (%d unknown), %d register writes, %d linearizable reads; %s"
          .formatted(
              inserts.acknowledgedCount(),
              counters.acknowledgedCount(),
              counters.unknownCount(),
              register.acknowledgedCount(),
              register.readCount(),
              errors.isEmpty() ? "no errors" : "errors " + errors);
    }
  }

  @Override
  public void close() {
    stopping = true;
    executor.shutdownNow();
  }
}
