package dev.wisent.database.ownership;

import dev.wisent.storage.FixedView;

/** A state of the store that several cursors keep, closed with the last of them. Thread-safe. */
final class KeptState {
  private final FixedView view;
  private int holders = 1; // guarded by this

  /**
   * @param view closed with its last holder; the first one is the caller
   */
  KeptState(FixedView view) {
    this.view = view;
  }

  /** Only for a holder. */
  FixedView view() {
    return view;
  }

  /** Adds a holder; false where the last one has let go already. */
  synchronized boolean hold() {
    if (holders > 0) {
      holders++;
    }
    return holders > 0;
  }

  synchronized void letGo() {
    holders--;
    if (holders == 0) {
      view.close();
    }
  }
}
