package dev.wisent.operation;

/**
 * How a shard deletes the documents of ranges that it has given away; can be changed while the
 * server runs. Thread-safe.
 */
public final class RangeDeletionSettings {
  private static final int DELAY_SECONDS_DEFAULT = 900;
  private static final int BATCH_DELAY_MILLIS_DEFAULT = 20;

  private volatile int delaySeconds = DELAY_SECONDS_DEFAULT;
  private volatile int batchSize = Integer.MAX_VALUE;
  private volatile int batchDelayMillis = BATCH_DELAY_MILLIS_DEFAULT;
  private volatile boolean disabled;

  /** How long documents stay after their range was given away. */
  public int delaySeconds() {
    return delaySeconds;
  }

  public void delaySeconds(int seconds) {
    delaySeconds = seconds;
  }

  /** How many documents are deleted between two pauses. */
  public int batchSize() {
    return batchSize;
  }

  public void batchSize(int documents) {
    batchSize = documents;
  }

  /** How long a pause is. */
  public int batchDelayMillis() {
    return batchDelayMillis;
  }

  public void batchDelayMillis(int millis) {
    batchDelayMillis = millis;
  }

  /** Whether nothing is deleted. */
  public boolean disabled() {
    return disabled;
  }

  public void disabled(boolean off) {
    disabled = off;
  }
}
