package dev.wisent.storage;

/**
 * A place in a replicated log.
 *
 * @param term the term in which the entry was written
 * @param index how many entries there are up to it
 */
public record LogPosition(long term, long index) implements Comparable<LogPosition> {
  /** Before the first entry. */
  public static final LogPosition START = new LogPosition(0, -1);

  @Override
  public int compareTo(LogPosition other) {
    return Long.compare(index, other.index);
  }
}
