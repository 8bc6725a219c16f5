package dev.wisent.cluster.shard.migration;

import dev.wisent.base.Clock;
import dev.wisent.operation.OperationContext;
import dev.wisent.server.operation.BackgroundOperation;
import dev.wisent.server.operation.OperationRegistry;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * Shows in currentOp which ranges this shard has given away without the config servers knowing it
 * yet. Of the thread that delivers outcomes.
 */
final class UnsettledMigrations {
  private final OperationRegistry operations;
  private final Clock clock;
  private final Map<UUID, BackgroundOperation> shown = new HashMap<>();

  UnsettledMigrations(OperationRegistry operations, Clock clock) {
    this.operations = operations;
    this.clock = clock;
  }

  void show(List<Migration> unsettled) {
    Set<UUID> ids = unsettled.stream().map(Migration::id).collect(Collectors.toSet());
    shown
        .entrySet()
        .removeIf(
            each -> {
              boolean settled = !ids.contains(each.getKey());
              if (settled) {
                operations.end(each.getValue());
              }
              return settled;
            });
    for (Migration each : unsettled) {
      shown.computeIfAbsent(each.id(), id -> begin(each));
    }
  }

  private BackgroundOperation begin(Migration migration) {
    return operations.startInBackground(
        "moveRange: %s has gone to %s, and the config servers are to be told"
            .formatted(migration.range(), migration.to()),
        "command",
        migration.namespace().full(),
        OperationContext.internal(clock));
  }
}
