package dev.wisent.bench.workload;

import dev.wisent.bench.data.DocumentGenerator;
import dev.wisent.bench.store.CollectionSpec;
import java.util.List;

/** A collection of generated documents that several workloads share and none changes in size. */
public enum Dataset {
  /** Only the index on the id, for reads and updates of single documents. */
  DOCUMENTS(new CollectionSpec("documents", List.of())),
  /** The same documents with three secondary indexes. */
  INDEXED(
      new CollectionSpec(
          "indexed",
          List.of(DocumentGenerator.RANK, DocumentGenerator.AT, DocumentGenerator.GROUP)));

  private final CollectionSpec spec;

  Dataset(CollectionSpec spec) {
    this.spec = spec;
  }

  public CollectionSpec spec() {
    return spec;
  }

  public String collection() {
    return spec.name();
  }
}
