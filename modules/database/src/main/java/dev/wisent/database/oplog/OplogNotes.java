package dev.wisent.database.oplog;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.OperationContext;
import dev.wisent.database.write.WriteGate;
import dev.wisent.storage.CommitFuture;
import dev.wisent.storage.CommitLog;
import dev.wisent.storage.MutationBuilder;

/** Writes entries that no change of data goes with. They do nothing where no oplog is kept. */
public final class OplogNotes {
  private final CommitLog log;
  private final WriteGate gate;

  public OplogNotes(CommitLog log, WriteGate gate) {
    this.log = log;
    this.gate = gate;
  }

  /** Notes something that concerns nobody's data. */
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

  /** Notes that all collections of a database were dropped because it was. */
  public void databaseDropped(String database, OperationContext operation) {
    write(CatalogEntries.databaseDropped(database), operation);
  }

  private void write(byte[] entry, OperationContext operation) {
    if (!log.keepsOplog()) {
      return;
    }
    gate.enter(operation);
    try {
      CommitFuture commit = log.submit(new MutationBuilder().oplogEntry(entry).build());
      operation.awaitOwn(commit);
      operation.committed(commit);
    } finally {
      gate.leave();
    }
  }
}
