package dev.wisent.conformance.fault;

import com.mongodb.MongoClientSettings;
import com.mongodb.MongoException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Clients of a sharded cluster and everything they were told. */
final class ClusterLoad implements AutoCloseable {
  private final InsertHistory items = new InsertHistory();
  private final InsertHistory notes = new InsertHistory();
  private final CounterHistory counters = new CounterHistory();
  private final ClientThreads threads = new ClientThreads();
  private final AtomicLong steps = new AtomicLong();
  private final List<String> errors = new ArrayList<>(); // guarded by itself
  private final AtomicLong changes = new AtomicLong();
  private final List<String> changeErrors = new ArrayList<>(); // guarded by itself
  private volatile String phase = "start";

  void start(String uri, int clients) {
    for (int i = 0; i < clients; i++) {
      threads.start("client" + i, name -> new ClusterClient(name, this, uri));
    }
  }

  /** Changes collections too. */
  void startChanges(String uri) {
    threads.start("ddl", name -> new DdlClient(this, uri));
  }

  /**
   * As drivers are by default, but that a router which says nothing is noticed within seconds. A
   * shard may need an election.
   */
  static MongoClientSettings settings(String uri) {
    return MongoClientSettings.builder(ClientThreads.settings(uri))
        .applyToSocketSettings(b -> b.readTimeout(60, TimeUnit.SECONDS))
        .applyToClusterSettings(b -> b.serverSelectionTimeout(60, TimeUnit.SECONDS))
        .build();
  }

  /** What is broken from now on. */
  void phase(String name) {
    phase = name;
  }

  void done() {
    steps.incrementAndGet();
  }

  /** Operations that have succeeded. */
  long steps() {
    return steps.get();
  }

  void failed(MongoException error) {
    threads.failed(error);
    synchronized (errors) {
      errors.add(phase + ": " + error);
    }
  }

  void changed() {
    changes.incrementAndGet();
  }

  void changeFailed(MongoException error) {
    synchronized (changeErrors) {
      changeErrors.add(phase + ": " + error);
    }
  }

  /** Rounds of changes that have succeeded. */
  long changes() {
    return changes.get();
  }

  /** What changes of collections were answered with. */
  List<String> changeErrors() {
    synchronized (changeErrors) {
      return List.copyOf(changeErrors);
    }
  }

  /** What clients were told, with what was broken then. */
  List<String> errors() {
    synchronized (errors) {
      return List.copyOf(errors);
    }
  }

  boolean endedEarly() {
    return threads.endedEarly();
  }

  void stop() {
    threads.stop();
  }

  InsertHistory items() {
    return items;
  }

  InsertHistory notes() {
    return notes;
  }

  CounterHistory counters() {
    return counters;
  }

  String summary() {
    return "%d steps, %d changes, %d items, %d notes, %d increments (%d unknown); %s"
        .formatted(
            steps.get(),
            changes.get(),
            items.acknowledgedCount(),
            notes.acknowledgedCount(),
            counters.acknowledgedCount(),
            counters.unknownCount(),
            threads.errors());
  }

  @Override
  public void close() {
    threads.close();
  }
}
