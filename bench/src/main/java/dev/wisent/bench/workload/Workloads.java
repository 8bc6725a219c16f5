package dev.wisent.bench.workload;

import dev.wisent.bench.store.CollectionSpec;
import dev.wisent.bench.store.Durability;
import java.util.ArrayList;
import java.util.List;

/** All workloads, in the order in which they run. */
public final class Workloads {
  /** Short for the workloads whose names begin so. */
  private static final List<String> FAMILIES =
      List.of(
          "ycsb",
          "monitoring",
          "replica-set",
          "transaction",
          "text",
          "geo",
          "scan",
          "aggregate",
          "connect");

  private static final int CHANGE_STREAMS = 100;

  private static final String ALL = "all";

  private Workloads() {}

  public static List<Workload> all() {
    List<Workload> all = new ArrayList<>();
    all.add(
        new BulkLoadWorkload(
            "bulk-load",
            new CollectionSpec("bulk", List.of()),
            (subject, i) -> subject.generator().document(i)));
    all.add(
        loop(
            "point-read",
            "find one document by _id",
            Durability.READ_ONLY,
            Dataset.DOCUMENTS,
            LoopWorkload::read));
    all.add(new InsertWorkload("insert", "insert one document", Durability.ACKNOWLEDGED));
    all.add(
        new InsertWorkload(
            "insert-journaled", "insert one document, on disk", Durability.JOURNALED));
    all.add(
        loop(
            "update-inc",
            "$inc of one field by _id",
            Durability.ACKNOWLEDGED,
            Dataset.DOCUMENTS,
            LoopWorkload::increment));
    all.add(
        loop(
            "index-range",
            LoopWorkload.RANGE_DOCUMENTS + " documents by a range on a secondary index",
            Durability.READ_ONLY,
            Dataset.INDEXED,
            LoopWorkload::range));
    all.add(
        loop(
            "sorted-range",
            LoopWorkload.SORTED_DOCUMENTS
                + " documents from a point on, sorted by an indexed field",
            Durability.READ_ONLY,
            Dataset.INDEXED,
            LoopWorkload::sorted));
    all.add(
        loop(
            "index-count",
            "count of the 100 documents with one indexed value",
            Durability.READ_ONLY,
            Dataset.INDEXED,
            LoopWorkload::count));
    all.add(
        loop(
            "covered-range",
            "one field of "
                + LoopWorkload.COVERED_DOCUMENTS
                + " documents by a range on it, from the index alone",
            Durability.READ_ONLY,
            Dataset.INDEXED,
            LoopWorkload::coveredRange));
    all.add(
        loop(
            "compound-sort",
            "the first "
                + LoopWorkload.RANGE_DOCUMENTS
                + " documents of one value from a point on, sorted; by a compound index",
            Durability.READ_ONLY,
            Dataset.INDEXED,
            LoopWorkload::compoundSort));
    all.add(
        loop(
            "in-100",
            "$in of " + LoopWorkload.IN_DOCUMENTS + " ids",
            Durability.READ_ONLY,
            Dataset.DOCUMENTS,
            LoopWorkload::in));
    all.addAll(ScanWorkloads.all());
    all.addAll(AggregateWorkloads.all());
    all.addAll(TextWorkloads.all());
    all.addAll(GeoWorkloads.all());
    all.addAll(MonitoringWorkloads.all());
    all.addAll(YcsbWorkload.all());
    all.addAll(ReplicaSetWorkloads.all());
    all.addAll(TransactionWorkloads.all());
    all.add(new ChangeStreamWorkload(CHANGE_STREAMS));
    all.add(new StarvationWorkload());
    all.add(new ConnectionsWorkload());
    all.add(new ConnectWorkload("connect", false));
    all.add(new ConnectWorkload("connect-resumed", true));
    return List.copyOf(all);
  }

  private static Workload loop(
      String name, String summary, Durability durability, Dataset dataset, LoopWorkload.Step step) {
    return new LoopWorkload(name, summary, durability, dataset, step);
  }

  /** The workloads with these names, in our order; {@code all} and a family name several. */
  public static List<Workload> named(List<String> names) {
    List<Workload> all = all();
    for (String name : names) {
      if (all.stream().noneMatch(workload -> matches(name, workload))) {
        throw new IllegalArgumentException(
            "unknown workload '%s'; known are all, %s, %s"
                .formatted(
                    name,
                    String.join(", ", FAMILIES),
                    String.join(", ", all.stream().map(Workload::name).toList())));
      }
    }
    return all.stream()
        .filter(workload -> names.stream().anyMatch(name -> matches(name, workload)))
        .toList();
  }

  private static boolean matches(String name, Workload workload) {
    return name.equals(ALL)
        || name.equals(workload.name())
        || (FAMILIES.contains(name) && workload.name().startsWith(name + "-"));
  }
}
