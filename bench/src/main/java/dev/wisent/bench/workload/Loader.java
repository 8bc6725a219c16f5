package dev.wisent.bench.workload;

import dev.wisent.bench.data.BenchDocument;
import dev.wisent.bench.store.Session;
import java.util.ArrayList;
import java.util.List;

/** Writes documents to a collection in batches, in one order on all targets. */
final class Loader {
  static final int BATCH_DOCUMENTS = 1000;

  private final Session session;
  private final String collection;
  private final List<BenchDocument> batch = new ArrayList<>(BATCH_DOCUMENTS);

  Loader(Session session, String collection) {
    this.session = session;
    this.collection = collection;
  }

  void add(BenchDocument document) {
    batch.add(document);
    if (batch.size() == BATCH_DOCUMENTS) {
      flush();
    }
  }

  void flush() {
    if (!batch.isEmpty()) {
      session.insertMany(collection, batch);
      batch.clear();
    }
  }
}
