package dev.wisent.storage;

import java.util.function.IntConsumer;

/**
 * Is asked before a large value is read into memory, so that many readers of large values do not
 * take the whole heap together. Thread-safe.
 */
public final class LargeValues {
  /** Smaller values are read without asking. */
  public static final int BYTES_MIN = 64 * 1024;

  private volatile IntConsumer admission = bytes -> {};

  LargeValues() {}

  /**
   * Sets what is called with the length of each large value, on the thread that reads it; it may
   * block, and may throw to refuse.
   */
  public void admission(IntConsumer newAdmission) {
    admission = newAdmission;
  }

  void admit(int bytes) {
    if (bytes > BYTES_MIN) {
      admission.accept(bytes);
    }
  }
}
