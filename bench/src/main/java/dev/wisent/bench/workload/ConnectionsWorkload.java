package dev.wisent.bench.workload;

import dev.wisent.bench.measure.Sample;
import dev.wisent.bench.store.Durability;
import dev.wisent.bench.store.Session;
import dev.wisent.bench.target.Target;
import dev.wisent.bench.target.WireAddress;
import dev.wisent.bench.target.WireConnection;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/** Sixteen clients that read and update while thousands of other connections stay open. */
final class ConnectionsWorkload implements Workload {
  static final String HELD = "idle connections that still answer";

  private static final int CLIENTS = 16;
  private static final Dataset DATASET = Dataset.DOCUMENTS;

  @Override
  public String name() {
    return "connections";
  }

  @Override
  public String summary() {
    return CLIENTS + " clients, half reads and half $inc, beside idle connections";
  }

  @Override
  public Durability durability() {
    return Durability.ACKNOWLEDGED;
  }

  @Override
  public Optional<String> unsupportedBy(Target target) {
    return target.wireAddress().isPresent()
        ? Optional.empty()
        : Optional.of("the idle connections speak MongoDB's protocol");
  }

  @Override
  public Prepared prepare(Subject subject) {
    subject.require(DATASET);
    WireAddress address = subject.target().wireAddress().orElseThrow();
    return round -> {
      List<WireConnection> idle = new ArrayList<>();
      try {
        for (int i = 0; i < subject.settings().idleConnections(); i++) {
          WireConnection connection = address.connect();
          idle.add(connection);
          connection.hello();
        }
        Sample sample = work(subject, round);
        for (WireConnection connection : idle) {
          connection.hello();
        }
        return sample.withExtra(HELD, idle.size());
      } finally {
        closeAll(idle);
      }
    };
  }

  private Sample work(Subject subject, Round round) throws Exception {
    return subject.measure(
        CLIENTS,
        durability(),
        round.limit(),
        (session, client) -> mixed(subject, round, session, client));
  }

  private Subject.Operation mixed(Subject subject, Round round, Session session, int client) {
    SplittableRandom random = subject.random(name(), round.number(), client);
    long records = subject.settings().records();
    return () -> {
      if (random.nextBoolean()) {
        LoopWorkload.read(session, DATASET.collection(), records, random);
      } else {
        LoopWorkload.increment(session, DATASET.collection(), records, random);
      }
      return 1;
    };
  }

  private static void closeAll(List<WireConnection> connections) {
    for (WireConnection connection : connections) {
      try {
        connection.close();
      } catch (IOException alreadyGone) {
        // Closing is all that was wanted.
      }
    }
  }
}
