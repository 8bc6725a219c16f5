package dev.wisent.database.write;

import dev.wisent.bson.RawDocument;
import dev.wisent.database.collection.Collection;
import dev.wisent.database.exec.RecordReader;
import dev.wisent.database.ownership.OrphanDeleter;
import dev.wisent.operation.OperationContext;
import java.util.function.Function;

/**
 * Deletes documents that this node does not own. What it owns does not change while a unit is under
 * way, as every write keeps changes of the tables out.
 */
final class OrphanDeletions implements OrphanDeleter {
  private static final int UNIT_BYTES_MAX = 256 << 10;

  private final WriteAccess access;

  OrphanDeletions(WriteAccess access) {
    this.access = access;
  }

  @Override
  public Deleted delete(Candidates candidates, OperationContext operation) {
    var run = new Run(candidates, operation);
    return access.inCollection(candidates.namespace(), false, operation, run);
  }

  /** Deletes a latched record if it is an orphan; returns its size, or 0. */
  private static int deleteOrphan(WriteUnit unit, long recordId, Candidates candidates) {
    unit.latch(recordId);
    RawDocument document = unit.readLatched(new RecordReader(unit.collection()), recordId);
    if (document == null || !unit.isOrphan(document) || !candidates.which().test(document)) {
      return 0;
    }
    int bytes = document.length();
    unit.delete(recordId, document);
    return bytes;
  }

  /** A deletion under way. After a conflict it goes on with the same record. */
  private final class Run implements Function<Collection, Deleted> {
    private final Candidates candidates;
    private final OperationContext operation;
    private int next;
    private long documents;
    private long bytes;

    Run(Candidates candidates, OperationContext operation) {
      this.candidates = candidates;
      this.operation = operation;
    }

    @Override
    public Deleted apply(Collection collection) {
      if (collection == null || !candidates.collection().equals(collection.definition().uuid())) {
        return null;
      }
      try (WriteUnit unit = access.newUnit(collection, operation)) {
        for (; next < candidates.records().size(); next++) {
          operation.checkInterrupt();
          int size = deleteNext(unit);
          documents += size == 0 ? 0 : 1;
          bytes += size;
          if (unit.sizeBytes() > UNIT_BYTES_MAX) {
            unit.commit(operation);
          }
        }
        unit.commit(operation);
      }
      return new Deleted(documents, bytes);
    }

    private int deleteNext(WriteUnit unit) {
      long recordId = candidates.records().get(next);
      return unit.changing(operation, () -> deleteOrphan(unit, recordId, candidates));
    }
  }
}
