package dev.wisent.database.diagnostic;

import dev.wisent.bson.RawDocument;
import dev.wisent.database.LocalDatabase;
import dev.wisent.database.NodeDatabase;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.oplog.OplogControl;
import dev.wisent.operation.oplog.OplogLimits;
import dev.wisent.operation.oplog.OplogOperation;

/** The oplog of this node. Thread-safe. */
public final class NodeOplog implements OplogControl {
  private final NodeDatabase database;
  private final LocalDatabase shared;

  public NodeOplog(NodeDatabase database) {
    this.database = database;
    this.shared = database.shared();
  }

  @Override
  public long newest() {
    return shared.catalog().oplog().newest();
  }

  @Override
  public OplogLimits limits() {
    return shared.catalog().oplog().limits();
  }

  @Override
  public void limit(OperationContext operation, OplogLimits limits) {
    shared.oplogTrimmer().limit(limits, operation);
  }

  @Override
  public void note(OperationContext operation, RawDocument message) {
    shared.oplogNotes().note(message, operation);
  }

  @Override
  public void apply(OperationContext operation, OplogOperation entry) {
    database.of(entry.namespace()).entries().apply(entry, operation);
  }
}
