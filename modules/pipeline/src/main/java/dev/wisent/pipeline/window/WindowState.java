package dev.wisent.pipeline.window;

import dev.wisent.bson.RawValue;

/**
 * What a function knows of the values in its window. They come at the end and go at the front. A
 * value is null where it is missing, and its bytes are valid during the call only.
 */
abstract class WindowState {
  abstract void add(RawValue value);

  /**
   * Takes out the oldest value, which is that of the document {@code number}. Those after it are
   * still there, and at least one of them was added.
   */
  abstract void remove(ValueQueue values, long number);

  /** Forgets all values. */
  abstract void reset();

  /**
   * What comes out, over bytes of its own; null where that is missing.
   *
   * @param values has the values of the window, from the document {@code from} to that before
   *     {@code to}; null for a window that only grows
   */
  abstract RawValue result(ValueQueue values, long from, long to);

  /** The bytes of memory that are held, roughly. */
  long bytes() {
    return 0;
  }
}
