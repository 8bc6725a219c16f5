package dev.wisent.bench.workload;

import dev.wisent.bench.data.BenchDocument;
import dev.wisent.bench.data.Groups;
import dev.wisent.bench.store.CollectionSpec;
import java.util.List;

/** A collection of generated documents that several workloads share and none changes in size. */
public enum Dataset {
  /** Only the index on the id, for reads and updates of single documents. */
  DOCUMENTS(
      new CollectionSpec("documents", List.of()),
      (subject, number) -> subject.generator().document(number)),
  /** The same documents with four secondary indexes. */
  INDEXED(
      new CollectionSpec(
          "indexed",
          List.of(
              List.of(Fields.RANK),
              List.of(Fields.AT),
              List.of(Fields.GROUP),
              List.of(Fields.SHELF, Fields.AT))),
      (subject, number) -> subject.generator().document(number)),
  /** What the groups of the documents are called, to be joined with them. */
  GROUPS(
      new CollectionSpec("groups", List.of(List.of(Fields.NUMBER))),
      (subject, number) -> Groups.document(number)),
  /** Texts with an index on their words. */
  ARTICLES(
      new CollectionSpec("articles", List.of(List.of(Fields.BODY))),
      (subject, number) -> subject.articles().document(number)),
  /** Points on the earth with an index. */
  PLACES(
      new CollectionSpec("places", List.of(List.of(Fields.LOCATION))),
      (subject, number) -> subject.places().document(number)),
  /** What monitoring has measured, by host first. */
  MONITORING(
      new CollectionSpec(
          "monitoring",
          List.of(List.of(Fields.HOST, Fields.GENERATED_ON), List.of(Fields.GENERATED_ON))),
      (subject, number) -> subject.samples().document(number)),
  /** The same with the compound index the other way round, and no other. */
  MONITORING_BY_DATE(
      new CollectionSpec("monitoring_by_date", List.of(List.of(Fields.GENERATED_ON, Fields.HOST))),
      (subject, number) -> subject.samples().document(number));

  private final CollectionSpec spec;
  private final DocumentSource source;

  Dataset(CollectionSpec spec, DocumentSource source) {
    this.spec = spec;
    this.source = source;
  }

  public CollectionSpec spec() {
    return spec;
  }

  public String collection() {
    return spec.name();
  }

  /** How many documents there are, by the size of a benchmark. */
  long size(long records) {
    return this == GROUPS ? Groups.count(records) : records;
  }

  BenchDocument document(Subject subject, long number) {
    return source.document(subject, number);
  }
}
