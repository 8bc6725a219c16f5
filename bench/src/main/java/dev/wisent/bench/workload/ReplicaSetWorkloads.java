package dev.wisent.bench.workload;

import dev.wisent.bench.store.Durability;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/**
 * What a replicated log is measured by: writes that wait for a majority, of few and many clients.
 */
final class ReplicaSetWorkloads {
  private static final int[] CLIENTS = {1, 8, 64};
  private static final int HOT_CLIENTS = 64;

  private ReplicaSetWorkloads() {}

  static List<Workload> all() {
    List<Workload> all = new ArrayList<>();
    for (int clients : CLIENTS) {
      all.add(
          new InsertWorkload(
              "replica-set-insert-" + clients,
              "insert one document, on disk on a majority; " + clients + " clients",
              Durability.MAJORITY,
              OptionalInt.of(clients)));
    }
    all.add(new HotDocumentWorkload("replica-set-hot-" + HOT_CLIENTS, HOT_CLIENTS));
    return all;
  }
}
