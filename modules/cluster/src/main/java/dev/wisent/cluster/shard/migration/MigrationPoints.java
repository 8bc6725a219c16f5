package dev.wisent.cluster.shard.migration;

import dev.wisent.operation.OperationContext;

/** Places in a migration at which tests stop or end it. */
@FunctionalInterface
interface MigrationPoints {
  void reach(String point, OperationContext operation);
}
