package dev.wisent.database.write;

import dev.wisent.base.CommandException;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.database.collection.Collection;
import dev.wisent.operation.OperationContext;
import dev.wisent.query.collation.CollationChoice;
import java.util.function.Consumer;

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

  /** Changes the first record; null if there is none. */
  <T> T changeFirst(
      Collection collection, Selection selection, OperationContext operation, Change<T> change) {
    // A conflict closes the unit, and with it releases its latches.
    return WriteUnit.retrying(
        operation, () -> {}, () -> tryFirst(collection, selection, operation, change));
  }

  private <T> T tryFirst(
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
   * Changes all records.
   *
   * @param results gets what was made of each
   */
  <T> void changeAll(
      Collection collection,
      Selection selection,
      OperationContext operation,
      Change<T> change,
      Consumer<T> results) {
    try (WriteUnit unit = access.newUnit(collection, operation);
        RecordFinder finder = finder(collection, selection, operation)) {
      while (finder.next()) {
        operation.checkInterrupt();
        T result = changeNext(unit, finder, operation, change);
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

  private static <T> T changeNext(
      WriteUnit unit, RecordFinder finder, OperationContext operation, Change<T> change) {
    try {
      return unit.changing(operation, () -> change(unit, finder, change));
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
