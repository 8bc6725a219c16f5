package dev.wisent.database.collection;

import dev.wisent.database.gate.WriteGate;
import dev.wisent.database.index.Index;
import dev.wisent.database.session.OperationState;
import dev.wisent.operation.OperationContext;
import dev.wisent.storage.CommitLog;
import dev.wisent.storage.Keyspace;
import dev.wisent.storage.MutationBuilder;

/** What an index build writes through the log, many changes in a mutation. For one thread. */
final class BuildBatch {
  private static final int BYTES_MAX = 1 << 20;

  private final CommitLog log;
  private final WriteGate gate;
  private final OperationContext operation;
  private final MutationBuilder mutation = new MutationBuilder();
  private long flushes;

  BuildBatch(CommitLog log, WriteGate gate, OperationContext operation) {
    this.log = log;
    this.gate = gate;
    this.operation = operation;
  }

  void put(byte[] key, byte[] value) {
    mutation.put(Keyspace.INDEX, key, value);
  }

  /** For many entries in a row. */
  void putAndFlush(byte[] key, byte[] value) {
    put(key, value);
    if (isLarge()) {
      flush();
    }
  }

  /** Whether other nodes apply what is written: nothing can come in past the log. */
  boolean isReplicated() {
    return log.isReplicated();
  }

  void delete(byte[] key) {
    mutation.delete(Keyspace.INDEX, key);
  }

  void mark(Index.ArrayMark mark) {
    mutation.put(Keyspace.CATALOG, mark.key(), new byte[0]);
  }

  /** Grows when storage has caught up with what was put here. */
  long flushes() {
    return flushes;
  }

  boolean isLarge() {
    return mutation.sizeBytes() > BYTES_MAX;
  }

  void flush() {
    if (!mutation.isEmpty()) {
      throughGate(() -> OperationState.awaitApplied(log.submit(mutation.build()), operation));
      mutation.reset();
    }
    flushes++;
  }

  /** Writes something unless fsync has locked writes out; waits while it has. */
  void throughGate(Runnable write) {
    gate.enter(operation);
    try {
      write.run();
    } finally {
      gate.leave();
    }
  }
}
