package dev.wisent.database.ownership;

import dev.wisent.database.collection.Collection;
import dev.wisent.database.collection.TableChanges;
import dev.wisent.database.exec.CursorState;
import dev.wisent.operation.Namespace;
import dev.wisent.sharding.OwnedRanges;
import dev.wisent.storage.FixedView;
import dev.wisent.storage.StorageEngine;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The states in which the open cursors of routers go on. Rule H9: a cursor gives the documents of a
 * range that this shard has given away since as it had them, whatever is deleted meanwhile. A
 * change of the tables is made with a state from just before it at hand, on every member; the
 * cursors of the collections that it takes ranges from end in that state.
 *
 * <p>A cursor registers itself before it lets its first state go, and then looks for changes; a
 * change is first announced and then looks for cursors. One of the two sees the other. A cursor
 * that sees a change under way keeps its own state: it may be newer than the one at hand, without
 * which writes would be missed that were acknowledged before the cursor was opened. Thread-safe.
 */
public final class CursorStates implements TableChanges {
  private final Ownership ownership;
  private final StorageEngine storage;
  private final Set<OpenCursor> cursors = ConcurrentHashMap.newKeySet();
  private final List<TableChange> changes = new CopyOnWriteArrayList<>();

  CursorStates(Ownership ownership, StorageEngine storage) {
    this.ownership = ownership;
    this.storage = storage;
  }

  /** How many cursors go on in states of the past, and in how many. */
  public record Counts(int states, int cursors) {}

  /**
   * Registers a cursor.
   *
   * @param view the state that it has read until now
   */
  CursorState register(Namespace namespace, FixedView view) {
    var cursor = new OpenCursor(namespace, cursors::remove);
    cursors.add(cursor);
    try {
      follow(cursor, view);
      return cursor;
    } catch (RuntimeException | Error e) {
      cursor.close();
      throw e;
    }
  }

  private void follow(OpenCursor cursor, FixedView view) {
    long generation = ownership.generation(view);
    boolean underWay = changes.stream().anyMatch(change -> change.isAfter(generation));
    if (underWay || (ownership.generation() != generation && isChanged(cursor.namespace(), view))) {
      cursor.keepFirst(view);
    }
  }

  /** Ranges that have gone and come back are a change, too: the documents are others. */
  private boolean isChanged(Namespace namespace, FixedView view) {
    OwnedRanges then = ownership.tables(view).collection(namespace);
    OwnedRanges now = ownership.tables().collection(namespace);
    return then == null ? now != null && !now.isComplete() : !then.isSameAs(now);
  }

  @Override
  public boolean isNumber(Collection collection) {
    return collection.namespace().equals(Ownership.GENERATION);
  }

  @Override
  public void around(Runnable write) {
    TableChange change = announce();
    try {
      write.run();
    } finally {
      change.end(tablesAfter());
      changes.remove(change);
      cursors.forEach(cursor -> cursor.ended(change));
      change.before().letGo();
    }
  }

  private TableChange announce() {
    var change = new TableChange();
    changes.add(change);
    FixedView view = null;
    try {
      // After that: no cursor that does not see the change has read a newer state.
      view = storage.snapshot();
      FixedView before = view;
      change.begin(new KeptState(view), ownership.generation(view), () -> ownership.tables(before));
      cursors.forEach(cursor -> cursor.begins(change));
      return change;
    } catch (RuntimeException | Error e) {
      changes.remove(change);
      if (view != null) {
        view.close();
      }
      throw e;
    }
  }

  /** Null where no cursor asks for them, or they cannot be read: all cursors keep their states. */
  private ShardTables tablesAfter() {
    try {
      return cursors.isEmpty() ? null : ownership.tables();
    } catch (RuntimeException e) {
      return null;
    }
  }

  public Counts counts() {
    var states = new HashSet<KeptState>();
    int keeping = 0;
    for (OpenCursor cursor : cursors) {
      KeptState state = cursor.kept();
      if (state != null) {
        states.add(state);
        keeping++;
      }
    }
    return new Counts(states.size(), keeping);
  }
}
