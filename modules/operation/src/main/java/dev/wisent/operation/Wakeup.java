package dev.wisent.operation;

/**
 * Wakes an operation that waits for a signal when it may have to stop. {@link #wake} may come from
 * anywhere.
 */
public final class Wakeup {
  private volatile Runnable signal;

  /** Has the operation look now whether it must stop. */
  public void wake() {
    Runnable current = signal;
    if (current != null) {
      current.run();
    }
  }

  /**
   * Runs a wait, which checks whether the operation must stop before it begins to wait, and
   * whenever it is woken.
   *
   * @param waking ends the wait, or the next one if there is none at the time
   */
  public void during(Runnable wait, Runnable waking) {
    signal = waking;
    try {
      wait.run();
    } finally {
      signal = null;
    }
  }
}
