package dev.wisent.simulation.workload;

import dev.wisent.bson.RawDocument;
import dev.wisent.simulation.cluster.SimulatedClient;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Builds an index while transactions are prepared; in the end it has all documents. */
final class Indexing implements Runnable {
  private static final int ATTEMPTS_MAX = 100;

  private final Session session;
  private boolean built;
  private boolean ended;

  Indexing(Session session) {
    this.session = session;
  }

  boolean hasEnded() {
    return ended;
  }

  @Override
  public void run() {
    for (int i = 0; i < ATTEMPTS_MAX && !built; i++) {
      session.pause(200);
      RawDocument reply =
          session.tryCall(
              Session.DATABASE, "{createIndexes: 'c', indexes: [{key: {p: 1}, name: 'p_1'}]}");
      built = reply != null && SimulatedClient.isOk(reply);
    }
    ended = true;
  }

  /**
   * @param found all documents
   */
  void check(List<RawDocument> found) {
    if (!built) {
      return;
    }
    List<RawDocument> indexed = null;
    for (int i = 0; i < ATTEMPTS_MAX && indexed == null; i++) {
      indexed = session.scan("{find: 'c', hint: 'p_1', batchSize: 1000}");
    }
    if (indexed == null || !ids(indexed).equals(ids(found))) {
      throw new Violation("an index has " + indexed + " of " + found);
    }
  }

  private static TreeSet<Long> ids(List<RawDocument> documents) {
    return documents.stream()
        .map(document -> Session.number(document, "_id"))
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
