package dev.wisent.database.ownership;

import dev.wisent.database.exec.CursorState;
import dev.wisent.operation.Namespace;
import dev.wisent.storage.FixedView;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;

/**
 * A cursor between two batches, or in one of the later ones. It goes on in the newest state until a
 * change takes ranges of its collection away; from then on in the state from before that change.
 * Thread-safe.
 */
final class OpenCursor implements CursorState {
  private final Namespace namespace;
  private final Consumer<OpenCursor> onClose;
  private final List<TableChange> underWay = new ArrayList<>(0); // guarded by this
  private KeptState kept; // guarded by this
  private boolean keepsFirst; // guarded by this
  private boolean closed; // guarded by this

  /**
   * @param onClose told when the cursor ends
   */
  OpenCursor(Namespace namespace, Consumer<OpenCursor> onClose) {
    this.namespace = namespace;
    this.onClose = onClose;
  }

  Namespace namespace() {
    return namespace;
  }

  /** Has the cursor go on in the state that it was opened in, in any case. */
  synchronized void keepFirst(FixedView view) {
    if (!closed) {
      keep(new KeptState(view.share()));
      keepsFirst = true;
    }
  }

  private void keep(KeptState state) {
    if (kept != null) {
      kept.letGo();
    }
    kept = state;
  }

  /** A change begins: until its outcome is known the cursor goes on in the state before it. */
  synchronized void begins(TableChange change) {
    if (!closed && kept == null && !underWay.contains(change) && change.before().hold()) {
      underWay.add(change);
    }
  }

  /** A change has ended. */
  void ended(TableChange change) {
    if (!isUnderWay(change)) {
      return;
    }
    boolean takes = change.takesFrom(namespace);
    synchronized (this) {
      if (underWay.remove(change)) {
        if (takes && !closed && isBetter(change.before())) {
          keep(change.before());
        } else {
          change.before().letGo();
        }
      }
    }
  }

  private synchronized boolean isUnderWay(TableChange change) {
    return underWay.contains(change);
  }

  /** Of the states before several changes the oldest has all ranges; so has the first one. */
  private boolean isBetter(KeptState before) {
    return !keepsFirst && (kept == null || before.view().sequence() < kept.view().sequence());
  }

  @Override
  public synchronized FixedView view() {
    KeptState state = kept != null || underWay.isEmpty() ? kept : underWay.getFirst().before();
    return state == null ? null : state.view().share();
  }

  /** The state that it keeps; null if it goes on in the newest. */
  synchronized KeptState kept() {
    return kept;
  }

  @Override
  public void close() {
    onClose.accept(this);
    synchronized (this) {
      closed = true;
      if (kept != null) {
        kept.letGo();
        kept = null;
      }
      for (Iterator<TableChange> each = underWay.iterator(); each.hasNext(); each.remove()) {
        each.next().before().letGo();
      }
    }
  }
}
