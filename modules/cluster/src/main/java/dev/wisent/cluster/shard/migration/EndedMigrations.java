package dev.wisent.cluster.shard.migration;

import dev.wisent.operation.OperationContext;
import java.util.UUID;

/**
 * The migrations that have ended, for a while: a request to begin one may come late, when the range
 * has come back. It would begin one that no coordinator ends.
 */
public interface EndedMigrations {
  /** To be called before anything of the migration is removed. */
  void add(OperationContext operation, UUID migration);

  boolean contains(OperationContext operation, UUID migration);
}
