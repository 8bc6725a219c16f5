package dev.wisent.database.ownership;

import dev.wisent.bson.RawDocument;
import dev.wisent.operation.OperationContext;
import java.util.UUID;

/** The migrations that bring documents to this shard. Thread-safe. */
@FunctionalInterface
public interface IncomingMigrations {
  /** Where there are none. */
  IncomingMigrations NONE = (collection, document, operation) -> {};

  /**
   * Ends the migration that has brought a document: it holds a unique key that an owned document
   * needs (rule H13). Where the donor may have decided already, it waits a moment for the outcome.
   *
   * @param collection its UUID
   */
  void refuse(UUID collection, RawDocument document, OperationContext operation);
}
