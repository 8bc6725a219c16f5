package dev.wisent.operation.transaction;

/** What transactions may take, as parameters of the server set it. Thread-safe. */
public final class TransactionLimits {
  private static final int LIFETIME_SECONDS_DEFAULT = 60;
  private static final int LOCK_WAIT_MILLIS_DEFAULT = 5;

  private volatile int lifetimeSeconds = LIFETIME_SECONDS_DEFAULT;
  private volatile int lockWaitMillis = LOCK_WAIT_MILLIS_DEFAULT;

  /** How long a transaction may be open. */
  public int lifetimeSeconds() {
    return lifetimeSeconds;
  }

  public void lifetimeSeconds(int seconds) {
    lifetimeSeconds = seconds;
  }

  /**
   * How long a statement may wait for a collection whose definition is being changed, before it
   * fails with LockTimeout; negative for any time.
   */
  public int lockWaitMillis() {
    return lockWaitMillis;
  }

  public void lockWaitMillis(int millis) {
    lockWaitMillis = millis;
  }
}
