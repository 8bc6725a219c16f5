package dev.wisent.database.write;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.collection.Collection;
import dev.wisent.database.session.OperationState;
import dev.wisent.database.session.RetryableStatements;
import dev.wisent.database.session.RetryableStatements.Recording;
import dev.wisent.operation.InsertRequest;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.WriteOutcome;
import dev.wisent.query.insert.InsertNormalizer;
import dev.wisent.sharding.StaleConfigException;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/** Inserts documents: many of them in one mutation. */
public final class InsertExecutor {
  private static final int UNIT_BYTES_MAX = 1 << 20;

  private final WriteAccess access;
  private final CappedTrimmer trimmer;

  public InsertExecutor(WriteAccess access) {
    this.access = access;
    this.trimmer = new CappedTrimmer(access.view());
  }

  public WriteOutcome insert(OperationContext operation, InsertRequest request) {
    boolean create =
        access.catalog().find(request.namespace()) != null
            || hasStorableDocument(operation, request);
    var run = new Run(operation, request);
    try {
      return access.inCollection(request.namespace(), create, operation, run);
    } catch (StaleConfigException e) {
      // Documents before a wait may be inserted by now: the router goes on with this one.
      return run.refusedRest(e);
    } catch (CommandException e) {
      if (e.code() != ErrorCode.COMMAND_NOT_SUPPORTED_ON_VIEW) {
        throw e;
      }
      return refused(request, e);
    }
  }

  /** Into a view nothing is inserted: that is an error of each document. */
  private static WriteOutcome refused(InsertRequest request, CommandException error) {
    var outcome = new WriteOutcome();
    int tried = request.ordered() ? 1 : request.documents().size();
    for (int i = 0; i < tried; i++) {
      outcome.addFailure(i, error);
    }
    return outcome;
  }

  /** Whether an insert gets as far as a document that makes a missing collection exist. */
  private boolean hasStorableDocument(OperationContext operation, InsertRequest request) {
    for (RawDocument document : request.documents()) {
      try {
        normalized(document, operation);
        return true;
      } catch (CommandException e) {
        if (request.ordered()) {
          return false;
        }
      }
    }
    return false;
  }

  /** An insert under way. After a conflict it goes on with the same document. */
  private final class Run implements Function<Collection, WriteOutcome> {
    private final OperationContext operation;
    private final InsertRequest request;
    private final RetryableStatements retryable;
    private final WriteOutcome outcome = new WriteOutcome();
    private int next;

    Run(OperationContext operation, InsertRequest request) {
      this.operation = operation;
      this.request = request;
      this.retryable = OperationState.statements(operation);
    }

    @Override
    public WriteOutcome apply(Collection collection) {
      if (collection == null) {
        insertRest(given -> normalized(given, operation));
      } else {
        locked(
            collection,
            operation,
            unit -> {
              insertRest(given -> insert(given, collection, unit));
              unit.commit(operation);
              return null;
            });
      }
      return outcome;
    }

    /** Of an unordered insert, a document without an error counts as inserted. */
    WriteOutcome refusedRest(CommandException error) {
      int end = request.ordered() ? next + 1 : request.documents().size();
      for (int i = next; i < end; i++) {
        outcome.addFailure(i, error);
      }
      return outcome;
    }

    private void insert(RawDocument given, Collection collection, WriteUnit unit) {
      RawDocument document = prepare(collection, given, request.bypassValidation(), operation);
      insertOne(collection, unit, document, operation);
      if (unit.sizeBytes() > UNIT_BYTES_MAX) {
        unit.commit(operation);
      }
    }

    private void insertRest(Consumer<RawDocument> insert) {
      List<RawDocument> documents = request.documents();
      for (; next < documents.size(); next++) {
        operation.checkInterrupt();
        if (retryable != null && retryable.begin(next, Recording.COUNT)) {
          outcome.addMatched(1);
          outcome.addRetried(retryable.statementId());
          continue;
        }
        try {
          insert.accept(documents.get(next));
          outcome.addMatched(1);
        } catch (CommandException e) {
          outcome.addFailure(next, e);
          if (Conflicts.endsBatch(e, request.ordered(), operation)) {
            next = documents.size();
          }
        }
      }
    }
  }

  /** Runs something with a unit of its own, alone if the collection is capped. */
  private <T> T locked(
      Collection collection, OperationContext operation, Function<WriteUnit, T> write) {
    boolean capped = collection.capped() != null;
    if (capped) {
      operation.acquire(collection.cappedLock());
    }
    try (WriteUnit unit = access.newUnit(collection, operation)) {
      return write.apply(unit);
    } finally {
      if (capped) {
        collection.cappedLock().unlock();
        collection.tail().signal();
      }
    }
  }

  private RawDocument prepare(
      Collection collection,
      RawDocument given,
      boolean bypassValidation,
      OperationContext operation) {
    // What another shard has stored is as it should be.
    RawDocument document =
        OperationState.isOfMigration(operation) ? given : normalized(given, operation);
    if (!bypassValidation) {
      collection.rules().under(operation).checkInsert(document);
    }
    return document;
  }

  private RawDocument normalized(RawDocument given, OperationContext operation) {
    return InsertNormalizer.normalize(
        given, access.context().keepingEmptyTimestamps(operation.writes().keepEmptyTimestamps()));
  }

  /** Inserts one document that is ready to be stored. */
  void insertInto(Collection collection, RawDocument document, OperationContext operation) {
    locked(
        collection,
        operation,
        unit -> {
          insertOne(collection, unit, document, operation);
          unit.commit(operation);
          return null;
        });
  }

  private void insertOne(
      Collection collection, WriteUnit unit, RawDocument document, OperationContext operation) {
    unit.guard().checkInsert(document);
    if (collection.capped() == null) {
      insertOne(unit, document, operation);
    } else {
      insertCapped(collection, unit, document, operation);
    }
  }

  /** Inserts one document; what is in the unit is committed before a wait for another write. */
  private static void insertOne(WriteUnit unit, RawDocument document, OperationContext operation) {
    unit.changing(
        operation,
        () -> {
          unit.insert(document);
          return null;
        });
  }

  /** The document and what it pushes out are one mutation, so that the limits always hold. */
  private void insertCapped(
      Collection collection, WriteUnit unit, RawDocument document, OperationContext operation) {
    if (document.length() > collection.capped().bytesMax()) {
      throw new CommandException(ErrorCode.BAD_VALUE, "object to insert exceeds cappedMaxSize");
    }
    unit.insert(document);
    trimmer.trim(collection, unit);
    unit.commit(operation);
  }
}
