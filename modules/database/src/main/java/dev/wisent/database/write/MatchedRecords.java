package dev.wisent.database.write;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.database.collection.Collection;
import dev.wisent.database.ownership.WriteBlocks;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.query.collation.CollationChoice;
import java.util.function.Consumer;
import java.util.function.Function;

/** Finds the records that an update or delete is for, latches them and changes them. */
final class MatchedRecords {
  private static final int UNIT_BYTES_MAX = 256 << 10;

  private final WriteAccess access;
  private final int unitChangesMax;

  /**
   * @param unitChangesMax how many changes are committed at once
   */
  MatchedRecords(WriteAccess access, int unitChangesMax) {
    this.access = access;
    this.unitChangesMax = unitChangesMax;
  }

  /** Which records a statement is for, and which of them come first. */
  record Selection(RawDocument query, RawDocument sort, RawValue hint, CollationChoice collation) {}

  /** What a statement makes of a latched record that matches. */
  @FunctionalInterface
  interface Change<T> {
    T apply(WriteUnit unit, RecordFinder finder, RawDocument before);
  }

  /** Changes the first record; null if there is none. A conflict starts it over. */
  <T> T changeFirst(
      Collection collection, Selection selection, OperationContext operation, Change<T> change) {
    try (WriteUnit unit = access.newUnit(collection, operation);
        RecordFinder finder = finder(collection, selection, operation)) {
      while (finder.next()) {
        T result = change(unit, finder, change);
        if (result != null) {
          unit.commit(operation);
          return result;
        }
        unit.rollBack();
      }
      return null;
    }
  }

  /**
   * Changes all records of a collection, if there is one. What this shard owns of it stays the same
   * until the end (rule H8): a router never has to ask which documents are changed already.
   *
   * @param change what is made of each, by the rules of the collection
   * @param results gets what was made of each
   */
  <T> void changeAll(
      Namespace namespace,
      Selection selection,
      OperationContext operation,
      Function<Collection, Change<T>> change,
      Consumer<T> results) {
    try (WriteBlocks.Pass whole = access.passOfAll(namespace, operation);
        var all = new AllRecords<>(selection, operation, change, results)) {
      access.inCollection(namespace, false, operation, all);
    }
  }

  /** A change of all records under way. After a conflict it goes on with the same record. */
  private final class AllRecords<T> implements Function<Collection, Void>, AutoCloseable {
    private final Selection selection;
    private final OperationContext operation;
    private final Function<Collection, Change<T>> change;
    private final Consumer<T> results;
    private Collection collection;
    private RecordFinder finder;
    private boolean onRecord;

    AllRecords(
        Selection selection,
        OperationContext operation,
        Function<Collection, Change<T>> change,
        Consumer<T> results) {
      this.selection = selection;
      this.operation = operation;
      this.change = change;
      this.results = results;
    }

    @Override
    public Void apply(Collection found) {
      if (finder == null && found != null) {
        collection = found;
        finder = finder(found, selection, operation);
      } else if (found != collection) {
        throw new CommandException(
            ErrorCode.QUERY_PLAN_KILLED,
            "collection dropped. UUID " + collection.definition().uuid());
      }
      if (found != null) {
        changeRest();
      }
      return null;
    }

    private void changeRest() {
      Change<T> ofEach = change.apply(collection);
      try (WriteUnit unit = access.newUnit(collection, operation)) {
        while (onRecord || finder.next()) {
          onRecord = true;
          operation.checkInterrupt();
          T result = changeNext(unit, finder, operation, ofEach);
          onRecord = false;
          if (result != null) {
            results.accept(result);
          }
          if (unit.sizeBytes() > UNIT_BYTES_MAX || unit.changeCount() > unitChangesMax) {
            unit.commit(operation);
          }
        }
        unit.commit(operation);
      }
    }

    @Override
    public void close() {
      if (finder != null) {
        finder.close();
      }
    }
  }

  private static <T> T changeNext(
      WriteUnit unit, RecordFinder finder, OperationContext operation, Change<T> change) {
    try {
      return unit.changing(operation, () -> change(unit, finder, change));
    } catch (OrphanConflictException e) {
      // What was changed before is committed. A write of many documents keeps what this shard owns
      // as it is until its end: it cannot wait for another write.
      throw e.duplicate();
    } catch (CommandException e) {
      // What was changed before the failure stays, as in MongoDB.
      unit.commit(operation);
      throw e;
    }
  }

  /** Changes the record that the finder is on; null if it no longer exists or matches. */
  private static <T> T change(WriteUnit unit, RecordFinder finder, Change<T> change) {
    unit.latch(finder.recordId());
    RawDocument before = finder.readLatched(unit);
    return before == null ? null : change.apply(unit, finder, before);
  }

  private RecordFinder finder(
      Collection collection, Selection selection, OperationContext operation) {
    return new RecordFinder(access, collection, selection, operation);
  }
}
