package dev.wisent.database.write;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.OperationContext;
import dev.wisent.database.collection.Collection;
import dev.wisent.database.operation.InsertRequest;
import dev.wisent.database.operation.WriteOutcome;
import dev.wisent.query.insert.InsertNormalizer;
import java.util.List;

/** Inserts documents: many of them in one mutation. */
public final class InsertExecutor {
  private static final int UNIT_BYTES_MAX = 1 << 20;

  private final Writers writers;
  private final CappedTrimmer trimmer;

  public InsertExecutor(Writers writers) {
    this.writers = writers;
    this.trimmer = new CappedTrimmer(writers.storage());
  }

  public WriteOutcome insert(OperationContext operation, InsertRequest request) {
    return writers.inCollection(
        request.namespace(),
        true,
        operation,
        collection -> insertInto(collection, operation, request));
  }

  private WriteOutcome insertInto(
      Collection collection, OperationContext operation, InsertRequest request) {
    var outcome = new WriteOutcome();
    List<RawDocument> documents = request.documents();
    boolean capped = collection.capped() != null;
    if (capped) {
      operation.acquire(collection.cappedLock());
    }
    try (WriteUnit unit = writers.newUnit(collection)) {
      for (int i = 0; i < documents.size(); i++) {
        operation.checkInterrupt();
        try {
          RawDocument document = prepare(collection, documents.get(i), request.bypassValidation());
          insertOne(collection, unit, document, operation);
          outcome.addMatched(1);
        } catch (CommandException e) {
          outcome.addFailure(i, e);
          if (request.ordered()) {
            break;
          }
        }
        if (capped) {
          trimAndCommit(collection, unit, operation);
        } else if (unit.sizeBytes() > UNIT_BYTES_MAX) {
          unit.commit(operation);
        }
      }
      unit.commit(operation);
    } finally {
      if (capped) {
        collection.cappedLock().unlock();
        collection.tail().signal();
      }
    }
    return outcome;
  }

  private void trimAndCommit(Collection collection, WriteUnit unit, OperationContext operation) {
    while (true) {
      try {
        trimmer.trim(collection, unit);
        unit.commit(operation);
        return;
      } catch (LatchConflictException conflict) {
        unit.commit(operation);
        conflict.await();
      }
    }
  }

  private RawDocument prepare(Collection collection, RawDocument given, boolean bypassValidation) {
    RawDocument document = InsertNormalizer.normalize(given, writers.context());
    if (!bypassValidation) {
      collection.rules().checkInsert(document);
    }
    return document;
  }

  /** Inserts one document that is ready to be stored. */
  void insertInto(Collection collection, RawDocument document, OperationContext operation) {
    boolean capped = collection.capped() != null;
    if (capped) {
      operation.acquire(collection.cappedLock());
    }
    try (WriteUnit unit = writers.newUnit(collection)) {
      insertOne(collection, unit, document, operation);
      if (capped) {
        trimAndCommit(collection, unit, operation);
      } else {
        unit.commit(operation);
      }
    } finally {
      if (capped) {
        collection.cappedLock().unlock();
        collection.tail().signal();
      }
    }
  }

  /** Inserts when nobody is in the way; what is in the unit is committed before waiting. */
  private static void insertOne(
      Collection collection, WriteUnit unit, RawDocument document, OperationContext operation) {
    if (collection.capped() != null && document.length() > collection.capped().bytesMax()) {
      throw new CommandException(ErrorCode.BAD_VALUE, "object to insert exceeds cappedMaxSize");
    }
    while (true) {
      try {
        unit.insert(document);
        return;
      } catch (LatchConflictException conflict) {
        unit.commit(operation);
        conflict.await();
        operation.checkNow();
      }
    }
  }
}
