package dev.wisent.pipeline.window;

import dev.wisent.bson.RawValue;

/** A window function at work: it is asked for each document of a partition in turn. */
abstract class RunningFunction {
  /** A new partition begins. */
  abstract void restart();

  /** The value for the current document, valid until the next call; null where it is missing. */
  abstract RawValue next(Partition partition);

  /** Whether the value stays valid when documents of the partition are read or dropped. */
  boolean ownsValue() {
    return false;
  }

  /** The first document of the partition that may be asked for later, if that is a past one. */
  long oldest() {
    return Long.MAX_VALUE;
  }

  /** The bytes of memory that are held, roughly. */
  long bytes() {
    return 0;
  }
}
