package dev.wisent.database.write;

import dev.wisent.bson.RawDocument;
import dev.wisent.database.collection.Collection;
import dev.wisent.database.collection.InFlightVersions;
import dev.wisent.database.collection.LatchTable;
import dev.wisent.database.collection.RecordCache;
import dev.wisent.database.exec.RecordReader;
import dev.wisent.database.session.OperationState;
import dev.wisent.operation.OperationContext;
import dev.wisent.storage.CommitFuture;
import dev.wisent.storage.Mutation;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * The documents that are changed or removed together, and the commit of their new versions: the
 * cache never has another version than a reader of storage could see, and on a replicated log the
 * next writer of a record goes on from the version that is on its way.
 */
final class UnitVersions {
  private final WriteAccess access;
  private final LatchTable.Holder latches;
  private final OperationContext operation;

  /** Null where a mutation is applied as soon as it is submitted. */
  private final InFlightVersions pending;

  private final List<Changed> changes = new ArrayList<>(1);

  /** Of a version that was read and is not applied; what the unit says may rest on it. */
  private CommitFuture restsOn;

  private static final class Changed {
    private final Collection collection;
    private final long recordId;
    private final RawDocument document;
    private InFlightVersions.Version pending;

    /**
     * @param document null if it is removed
     */
    Changed(Collection collection, long recordId, RawDocument document) {
      this.collection = collection;
      this.recordId = recordId;
      this.document = document;
    }
  }

  UnitVersions(WriteAccess access, LatchTable.Holder latches, OperationContext operation) {
    this.operation = operation;
    this.access = access;
    this.latches = latches;
    this.pending = access.log().isReplicated() ? access.pending() : null;
  }

  /** A latched record as it is, or will be when what was submitted is applied; null if not. */
  RawDocument read(Collection collection, RecordReader reader, long recordId) {
    if (pending != null) {
      InFlightVersions.Version version = pending.find(collection.ident(), recordId);
      if (version != null) {
        restsOn = version.commit();
        return version.document();
      }
    }
    return reader.read(access.view(), recordId);
  }

  /** Waits for what was read to be applied, before a client is told something that rests on it. */
  void awaitRead() {
    CommitFuture read = restsOn;
    if (read != null) {
      restsOn = null;
      operation.await(read::awaitApplied);
    }
  }

  void update(Collection collection, long recordId, RawDocument document) {
    changes.add(new Changed(collection, recordId, document));
  }

  void delete(Collection collection, long recordId) {
    changes.add(new Changed(collection, recordId, null));
  }

  void clear() {
    changes.clear();
  }

  /**
   * Commits the mutation that carries the changes; returns when it is applied.
   *
   * @param watched tells indexes that are being built of the commit; null if there are none
   */
  CommitFuture commit(Mutation mutation, UnaryOperator<Supplier<CommitFuture>> watched) {
    for (Changed change : changes) {
      change.collection.recordCache().beginWrite(change.collection.ident(), change.recordId);
    }
    boolean applied = false;
    try {
      CommitFuture commit =
          watched == null ? apply(mutation) : watched.apply(() -> apply(mutation)).get();
      applied = true;
      restsOn = null;
      return commit;
    } finally {
      end(applied);
    }
  }

  private CommitFuture apply(Mutation mutation) {
    CommitFuture commit = access.log().submit(mutation);
    if (pending != null && !changes.isEmpty()) {
      handOver(commit);
    }
    OperationState.awaitApplied(commit, operation);
    return commit;
  }

  /** Lets others change the records, from the versions that are on their way. */
  private void handOver(CommitFuture commit) {
    for (Changed change : changes) {
      change.pending = new InFlightVersions.Version(change.document, commit);
      pending.submitted(change.collection.ident(), change.recordId, change.pending);
    }
    latches.releaseRecords();
  }

  private void end(boolean applied) {
    if (changes.isEmpty()) {
      return;
    }
    long sequence = access.storage().sequence();
    for (Changed change : changes) {
      if (change.pending == null) {
        end(change, applied, sequence);
      } else {
        int ident = change.collection.ident();
        RecordCache cache = change.collection.recordCache();
        pending.ended(
            ident,
            change.recordId,
            change.pending,
            () -> end(change, applied, sequence),
            () -> cache.endOlderWrite(ident, change.recordId, sequence));
      }
    }
  }

  private static void end(Changed change, boolean applied, long sequence) {
    int ident = change.collection.ident();
    RecordCache cache = change.collection.recordCache();
    if (applied && change.document != null) {
      cache.endWrite(ident, change.recordId, sequence, change.document);
    } else {
      cache.endWrite(ident, change.recordId, sequence);
    }
  }
}
