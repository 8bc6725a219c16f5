package dev.wisent.simulation.workload;

import dev.wisent.bson.RawDocument;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** Reads of a cluster in which nothing goes wrong any more. */
final class Reads {
  private static final long POLL_NANOS = 50_000_000;
  private static final int ATTEMPTS_MAX = 100;

  private Reads() {}

  /** All documents of a find whose results fit into one batch. */
  static List<RawDocument> all(Session session, String find) {
    for (int i = 0; i < ATTEMPTS_MAX; i++) {
      RawDocument reply = session.tryRead(find);
      if (reply != null) {
        return Chunks.batch(reply).stream().map(RawDocument::detached).toList();
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
    throw new Violation("no answer of a healed cluster to " + find);
  }
}
