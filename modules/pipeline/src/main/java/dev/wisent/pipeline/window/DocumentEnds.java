package dev.wisent.pipeline.window;

/** The ends of a window that holds so many documents before and after the current one. */
final class DocumentEnds extends WindowEnds {
  /** Offsets beyond all documents. */
  static final long FIRST = Long.MIN_VALUE;

  static final long LAST = Long.MAX_VALUE;

  private final long from;
  private final long to;

  DocumentEnds(long from, long to) {
    this.from = from;
    this.to = to;
  }

  @Override
  void move(Partition partition) {
    long position = partition.position();
    long upper;
    if (to == LAST) {
      upper = partition.readAll();
    } else if (to < 0) {
      upper = Math.max(0, position + to + 1);
    } else {
      upper = partition.has(position + to) ? position + to + 1 : partition.size();
    }
    long lower = from == FIRST ? 0 : Math.max(0, position + from);
    set(Math.min(lower, upper), upper);
  }
}
