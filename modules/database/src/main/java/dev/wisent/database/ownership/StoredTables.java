package dev.wisent.database.ownership;

import dev.wisent.base.Clock;
import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.database.collection.Catalog;
import dev.wisent.database.collection.Collection;
import dev.wisent.database.exec.IdReader;
import dev.wisent.database.exec.RecordReader;
import dev.wisent.database.snapshot.ReadState;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.ResultCursor;
import dev.wisent.storage.FixedView;
import dev.wisent.storage.ReadView;
import dev.wisent.storage.StorageEngine;
import java.util.List;
import java.util.function.BiFunction;

/**
 * The tables of a shard as its store has them: the newest, which are kept as long as their
 * collections do not change, and those of older states. Thread-safe.
 */
final class StoredTables {
  private static final RawValue GENERATION_KEY = RawValue.ofString(Ownership.GENERATION_ID);

  private static final List<Namespace> SOURCES =
      List.of(
          Ownership.VERSIONS,
          Ownership.DATABASES,
          Ownership.COLLECTIONS,
          Ownership.CHUNKS,
          Ownership.BLOCKS,
          Ownership.MOVES);

  private final Catalog catalog;
  private final StorageEngine storage;
  private final Clock clock;
  private final BiFunction<OperationContext, FindRequest, ResultCursor> reader;
  private volatile Known known = new Known(new Object[SOURCES.size()], 0, ShardTables.NONE);

  /** The tables of an older state, of which there are seldom two that are read. */
  private volatile Known past = known;

  /**
   * Tables.
   *
   * @param versions those of the collections that the newest tables were read from
   * @param generation that of the state that they were read in
   */
  private record Known(Object[] versions, long generation, ShardTables tables) {}

  /**
   * @param reader finds documents of collections
   */
  StoredTables(
      Catalog catalog,
      StorageEngine storage,
      Clock clock,
      BiFunction<OperationContext, FindRequest, ResultCursor> reader) {
    this.catalog = catalog;
    this.storage = storage;
    this.clock = clock;
    this.reader = reader;
  }

  ShardTables newest() {
    return newestKnown().tables;
  }

  /** The tables in a state of the store. */
  ShardTables in(FixedView view) {
    long generation = generation(view);
    Known last = newestKnown();
    if (last.generation < generation) {
      // What is in the store was not told of yet: no later request may find less than this one.
      last = read(generation);
    }
    if (last.generation == generation) {
      return last.tables;
    }
    Known before = past;
    if (before.generation != generation) {
      before = new Known(null, generation, readState(view));
      past = before;
    }
    return before.tables;
  }

  long newestGeneration() {
    return generation(storage);
  }

  /** The number of the tables in a state. */
  long generation(ReadView view) {
    Collection numbers = catalog.find(Ownership.GENERATION);
    if (numbers == null) {
      return 0;
    }
    byte[] key = numbers.idIndex().keyOf(GENERATION_KEY);
    long recordId = IdReader.find(key, numbers, view);
    RawDocument number = recordId < 0 ? null : new RecordReader(numbers).read(view, recordId);
    return number == null ? 0 : number.get(Ownership.GENERATION_NUMBER).toLong();
  }

  private Known newestKnown() {
    Known last = known;
    return isCurrent(last) ? last : read(0);
  }

  private boolean isCurrent(Known last) {
    for (int i = 0; i < SOURCES.size(); i++) {
      if (version(SOURCES.get(i)) != last.versions[i]) {
        return false;
      }
    }
    return true;
  }

  /** Null where there is no collection. */
  private Object version(Namespace namespace) {
    Collection collection = catalog.find(namespace);
    return collection == null ? null : collection.version();
  }

  /**
   * @param generation that the tables have at least; there is a state with it
   */
  private synchronized Known read(long generation) {
    while (true) {
      if (known.generation >= generation && isCurrent(known)) {
        return known;
      }
      Object[] versions = SOURCES.stream().map(this::version).toArray();
      try (FixedView view = storage.snapshot()) {
        known = new Known(versions, generation(view), readState(view));
        return known;
      } catch (CommandException e) {
        if (e.code() != ErrorCode.SNAPSHOT_UNAVAILABLE) {
          throw e;
        }
        // A definition has changed since the state was taken: a newer one has it.
      }
    }
  }

  /** Reads all tables in one state, so that they belong together. */
  private ShardTables readState(FixedView view) {
    OperationContext operation = OperationContext.internal(clock);
    operation.readPoint(new ReadState(view, 0));
    return new TableReader(request -> reader.apply(operation, request)).read();
  }
}
