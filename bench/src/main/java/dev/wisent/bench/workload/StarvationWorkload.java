package dev.wisent.bench.workload;

import dev.wisent.bench.measure.Sample;
import dev.wisent.bench.store.Durability;
import dev.wisent.bench.store.Session;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/** Point reads alone, then beside full collection scans that never stop. */
final class StarvationWorkload implements Workload {
  static final String P99_ALONE = "p99 alone, µs";
  static final String P99_RATIO = "p99 beside a scan ÷ alone";
  static final String SCANS = "scans";

  private static final Dataset DATASET = Dataset.DOCUMENTS;

  @Override
  public String name() {
    return "starvation";
  }

  @Override
  public String summary() {
    return "point read by _id beside a continuous full collection scan";
  }

  @Override
  public Durability durability() {
    return Durability.READ_ONLY;
  }

  @Override
  public Prepared prepare(Subject subject) {
    subject.require(DATASET);
    return round -> run(subject, round);
  }

  private Sample run(Subject subject, Round round) throws Exception {
    Sample alone = read(subject, round, 0);
    try (Scanner scanner = new Scanner(subject.store().session(Durability.READ_ONLY))) {
      Sample beside = read(subject, round, 1);
      scanner.rethrow();
      return beside
          .withoutCpu()
          .withExtra(P99_ALONE, alone.p99Micros())
          .withExtra(P99_RATIO, beside.p99Micros() / alone.p99Micros())
          .withExtra(SCANS, scanner.scans.get());
    }
  }

  private Sample read(Subject subject, Round round, int phase) throws Exception {
    return subject.measure(
        subject.settings().threads(),
        Durability.READ_ONLY,
        round.limit(),
        (session, client) -> {
          SplittableRandom random = subject.random(name(), round.number() * 2 + phase, client);
          long records = subject.settings().records();
          return () -> {
            LoopWorkload.read(session, DATASET.collection(), records, random);
            return 1;
          };
        });
  }

  /** Scans on a thread of its own from construction until it is closed. */
  private static final class Scanner implements AutoCloseable {
    final AtomicLong scans = new AtomicLong();

    private final AtomicBoolean stopped = new AtomicBoolean();
    private final AtomicReference<RuntimeException> failure = new AtomicReference<>();
    private final Session session;
    private final Thread thread;

    Scanner(Session session) {
      this.session = session;
      this.thread = Thread.ofPlatform().name("scanner").daemon().start(this::scan);
    }

    private void scan() {
      try {
        while (!stopped.get()) {
          int found = session.fruitlessScan(DATASET.collection());
          if (found != 0) {
            throw new IllegalStateException("a filter that matches nothing found " + found);
          }
          scans.incrementAndGet();
        }
      } catch (RuntimeException e) {
        failure.set(e);
      }
    }

    void rethrow() {
      if (failure.get() != null) {
        throw failure.get();
      }
    }

    @Override
    public void close() throws InterruptedException {
      stopped.set(true);
      // The last scan ends by itself, or by the session's read time-out.
      thread.join();
      session.close();
    }
  }
}
