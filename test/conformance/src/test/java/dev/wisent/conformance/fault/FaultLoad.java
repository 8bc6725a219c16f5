package dev.wisent.conformance.fault;

import com.mongodb.MongoException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;

/** The clients of the fault test and everything they were told. */
final class FaultLoad implements AutoCloseable {

  private static final int CLIENTS = 8;

  private final InsertHistory inserts = new InsertHistory();
  private final CounterHistory counters = new CounterHistory();
  private final RegisterHistory register = new RegisterHistory(0);
  private final AtomicLong registerValues = new AtomicLong();
  private final ClientThreads threads = new ClientThreads();

  void start(String uri, RandomGenerator.SplittableGenerator random) {
    for (int i = 0; i < CLIENTS; i++) {
      RandomGenerator choices = random.split();
      threads.start("client" + i, name -> new FaultClient(name, choices, this, uri));
    }
  }

  /** Whether a client has found something that no fault explains. */
  boolean endedEarly() {
    return threads.endedEarly();
  }

  /** Ends the load; fails with what a client found. */
  void stop() {
    threads.stop();
  }

  long nextRegisterValue() {
    return registerValues.incrementAndGet();
  }

  /** Counts what clients were told while something was broken. */
  void failed(MongoException error) {
    threads.failed(error);
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
    return "%d inserts, %d increments (%d unknown), %d register writes, %d linearizable reads; %s"
        .formatted(
            inserts.acknowledgedCount(),
            counters.acknowledgedCount(),
            counters.unknownCount(),
            register.acknowledgedCount(),
            register.readCount(),
            threads.errors());
  }

  @Override
  public void close() {
    threads.close();
  }
}
