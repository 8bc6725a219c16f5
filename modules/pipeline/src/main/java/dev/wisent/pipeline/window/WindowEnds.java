package dev.wisent.pipeline.window;

/** Where the window of the current document begins and ends. Neither end ever moves back. */
abstract class WindowEnds {
  private long lower;
  private long upper;

  /** Takes the ends to where they are for the current document. */
  abstract void move(Partition partition);

  void restart() {
    lower = 0;
    upper = 0;
  }

  protected final void set(long newLower, long newUpper) {
    lower = newLower;
    upper = newUpper;
  }

  /** The first document of the window, counted from the partition's beginning. */
  final long lower() {
    return lower;
  }

  /** The document after the last one of the window. */
  final long upper() {
    return upper;
  }

  final boolean isEmpty() {
    return lower >= upper;
  }

  /** The bytes of memory that are held, roughly. */
  long bytes() {
    return 0;
  }
}
