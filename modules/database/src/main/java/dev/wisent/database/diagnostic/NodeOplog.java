package dev.wisent.database.diagnostic;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.LocalDatabase;
import dev.wisent.database.NodeDatabase;
import dev.wisent.database.collection.Oplog;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.oplog.OplogControl;
import dev.wisent.operation.oplog.OplogLimits;
import dev.wisent.operation.oplog.OplogOperation;
import java.util.concurrent.locks.ReentrantLock;

/** The oplog of this node. Thread-safe. */
public final class NodeOplog implements OplogControl {
  private static final RawDocument NOTE =
      new BsonBuilder().appendString("msg", "change streams wait for this time").toDocument();

  private final NodeDatabase database;
  private final LocalDatabase shared;

  /** The one that writes an entry does so for all that wait for it. */
  private final ReentrantLock passing = new ReentrantLock();

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
  public boolean pass(OperationContext operation, long time) {
    Oplog oplog = shared.catalog().oplog();
    oplog.await(time);
    if (isPassed(time)) {
      return true;
    }
    if (!shared.writeGate().isOpen()) {
      return false;
    }
    operation.acquire(passing);
    try {
      if (!isPassed(time)) {
        note(operation, NOTE);
      }
      return true;
    } finally {
      passing.unlock();
    }
  }

  private boolean isPassed(long time) {
    return Long.compareUnsigned(newest(), time) >= 0;
  }

  @Override
  public void apply(OperationContext operation, OplogOperation entry) {
    database.of(entry.namespace()).entries().apply(entry, operation);
  }
}
