package dev.wisent.database.oplog;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.gate.WriteGate;
import dev.wisent.database.session.OperationState;
import dev.wisent.operation.OperationContext;
import dev.wisent.storage.CommitFuture;
import dev.wisent.storage.CommitLog;
import dev.wisent.storage.MutationBuilder;

/** Writes oplog entries without a change of data; does nothing where no oplog is kept. */
public final class OplogWriter {
  private final CommitLog log;
  private final WriteGate gate;

  public OplogWriter(CommitLog log, WriteGate gate) {
    this.log = log;
    this.gate = gate;
  }

  /** Writes a no-op entry with a message. */
  public void note(RawDocument message, OperationContext operation) {
    write(
        new BsonBuilder()
            .appendString("op", "n")
            .appendString("ns", "")
            .appendDocument("o", message)
            .toDocument()
            .bytes(),
        operation);
  }

  /** Writes that a database was dropped, after its collections. */
  public void databaseDropped(String database, OperationContext operation) {
    write(
        CatalogEntries.databaseDropped(database, OperationState.isOfMigration(operation)),
        operation);
  }

  private void write(byte[] entry, OperationContext operation) {
    if (!log.keepsOplog()) {
      return;
    }
    gate.enter(operation);
    try {
      CommitFuture commit = log.submit(new MutationBuilder().oplogEntry(entry).build());
      OperationState.awaitApplied(commit, operation);
      OperationState.committed(operation, commit);
    } finally {
      gate.leave();
    }
  }
}
