package dev.wisent.cluster.shard;

import dev.wisent.base.Clock;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.shard.migration.EndedMigrations;
import dev.wisent.database.ownership.Ownership;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.Operations;
import java.util.UUID;

/** Ended migrations in the store, so that the next primary knows of them. Thread-safe. */
final class EndedMigrationTable implements EndedMigrations {
  private final TableRows rows;
  private final RowExpiry expiry;

  EndedMigrationTable(Operations documents, Clock clock) {
    this.rows = new TableRows(documents);
    this.expiry = new RowExpiry(rows, Ownership.ENDED_MOVES, clock);
  }

  @Override
  public void add(OperationContext operation, UUID migration) {
    RawDocument row = expiry.stamp(new BsonBuilder().appendUuid("_id", migration)).toDocument();
    rows.replace(operation, Ownership.ENDED_MOVES, row);
    expiry.purge(operation);
  }

  @Override
  public boolean contains(OperationContext operation, UUID migration) {
    RawDocument id = new BsonBuilder().appendUuid("_id", migration).toDocument();
    return rows.find(operation, Ownership.ENDED_MOVES, id) != null;
  }
}
