package dev.wisent.simulation.workload;

import dev.wisent.bson.RawDocument;
import dev.wisent.simulation.cluster.SimulatedClient;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Builds indexes, one after another, while transactions are prepared (rule H3); in the end each has
 * all documents, and each of them once.
 */
final class Indexing implements Runnable {
  private static final int ATTEMPTS_MAX = 100;

  /** Fields that payments and transfers change, and others. */
  private static final List<String> FIELDS = List.of("p", "s", "b", "t", "m", "w");

  private final Session session;
  private final List<String> built = new ArrayList<>();
  private boolean ended;

  Indexing(Session session) {
    this.session = session;
  }

  boolean hasEnded() {
    return ended;
  }

  @Override
  public void run() {
    for (String field : FIELDS) {
      build(field);
    }
    ended = true;
  }

  private void build(String field) {
    String index = "{key: {" + field + ": 1}, name: '" + field + "_1'}";
    for (int i = 0; i < ATTEMPTS_MAX; i++) {
      session.pause(150);
      RawDocument reply =
          session.tryCall(Session.DATABASE, "{createIndexes: 'c', indexes: [" + index + "]}");
      if (reply != null && SimulatedClient.isOk(reply)) {
        built.add(field);
        return;
      }
    }
  }

  /**
   * @param found all documents
   */
  void check(List<RawDocument> found) {
    for (String field : built) {
      List<RawDocument> indexed = null;
      for (int i = 0; i < ATTEMPTS_MAX && indexed == null; i++) {
        indexed = session.scan("{find: 'c', hint: '" + field + "_1', batchSize: 1000}");
      }
      if (indexed == null || indexed.size() != found.size() || !ids(indexed).equals(ids(found))) {
        throw new Violation("the index on " + field + " has " + indexed + " of " + found);
      }
    }
  }

  private static TreeSet<Long> ids(List<RawDocument> documents) {
    return documents.stream()
        .map(document -> Session.number(document, "_id"))
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
