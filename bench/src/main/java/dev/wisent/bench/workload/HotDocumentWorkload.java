package dev.wisent.bench.workload;

import dev.wisent.bench.data.DocumentGenerator;
import dev.wisent.bench.store.Durability;
import dev.wisent.bench.store.StoreException;

/** All clients increment the same document. */
record HotDocumentWorkload(String name, int clients) implements Workload {
  private static final Dataset DATASET = Dataset.DOCUMENTS;

  @Override
  public String summary() {
    return "$inc of one and the same document, on disk on a majority; " + clients + " clients";
  }

  @Override
  public Durability durability() {
    return Durability.MAJORITY;
  }

  @Override
  public Prepared prepare(Subject subject) {
    subject.require(DATASET);
    String id = DocumentGenerator.id(0);
    return round ->
        subject.measure(
            clients,
            durability(),
            round.limit(),
            (session, _) ->
                () -> {
                  if (!session.increment(DATASET.collection(), id, DocumentGenerator.COUNTER)) {
                    throw new StoreException("document " + id + " was not found");
                  }
                  return 1;
                });
  }
}
