package dev.wisent.conformance.crash;

import com.mongodb.client.MongoClient;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;

/** The writers of a crash test and everything they know. */
final class Load {

  private static final int WRITERS = 8;
  private static final int END_TIMEOUT_SECONDS = 120;

  private final List<Writer> writers = new ArrayList<>();
  private final List<ItemTask> items = new ArrayList<>();
  private final List<CounterTask> counters = new ArrayList<>();
  private final List<ClaimTask> claims = new ArrayList<>();
  private final List<EventTask> events = new ArrayList<>();
  private final CatalogTask catalog = new CatalogTask();
  private final ReportTask report = new ReportTask();
  private final List<Future<Optional<Throwable>>> running = new ArrayList<>();
  private volatile boolean killed;

  Load(RandomGenerator.SplittableGenerator random) {
    AtomicLong nextClaim = new AtomicLong();
    for (int i = 0; i < WRITERS; i++) {
      items.add(new ItemTask(i, random.split()));
      counters.add(new CounterTask(random.split()));
      claims.add(new ClaimTask(i, nextClaim));
      events.add(new EventTask(i));
      Map<Task, Integer> weights = new LinkedHashMap<>();
      weights.put(items.get(i), 70);
      weights.put(counters.get(i), 15);
      weights.put(claims.get(i), 8);
      weights.put(events.get(i), 7);
      writers.add(new Writer("writer " + i, random.split(), weights));
    }
    writers.add(new Writer("catalog writer", random.split(), Map.of(catalog, 1)));
    writers.add(new Writer("report writer", random.split(), Map.of(report, 1)));
  }

  /** Lets all writers loose; they stop when the server does. */
  void start(MongoClient client, ExecutorService executor) {
    killed = false;
    Namespaces namespaces = Namespaces.of(client);
    for (Writer writer : writers) {
      running.add(executor.submit(() -> writer.run(namespaces, () -> killed)));
    }
  }

  /** From now on a lost connection is what the test wants. */
  void expectDeath() {
    killed = true;
  }

  /** Whether some writer has stopped although the server was not killed. */
  boolean endedEarly() {
    return running.stream().anyMatch(Future::isDone);
  }

  /** Waits for all writers; fails with what one of them found. */
  void awaitEnd() {
    List<Throwable> failures = new ArrayList<>();
    for (Future<Optional<Throwable>> future : running) {
      try {
        future.get(END_TIMEOUT_SECONDS, TimeUnit.SECONDS).ifPresent(failures::add);
      } catch (InterruptedException | ExecutionException | TimeoutException e) {
        failures.add(e);
      }
    }
    running.clear();
    if (!failures.isEmpty()) {
      AssertionError error = new AssertionError("under load: " + failures.getFirst());
      failures.forEach(error::addSuppressed);
      throw error;
    }
  }

  long steps() {
    return writers.stream().mapToLong(Writer::steps).sum();
  }

  List<ItemTask> items() {
    return items;
  }

  List<CounterTask> counters() {
    return counters;
  }

  List<ClaimTask> claims() {
    return claims;
  }

  ReportTask report() {
    return report;
  }

  List<EventTask> events() {
    return events;
  }

  CatalogTask catalog() {
    return catalog;
  }
}
