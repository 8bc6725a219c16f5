package dev.wisent.query.interrupt;

/**
 * Counts the work of a query, and asks now and then whether the query has to end. Work is counted
 * in bytes that are looked at, so that the question costs next to nothing and yet comes within a
 * fraction of a millisecond.
 *
 * <p>Belongs to one thread at a time. Where rules of a collection share one, they lose counts, not
 * questions. All meters are equal, so that conditions which hold one are equal by what they ask.
 */
public final class WorkMeter {
  /** What an element, a variable or a document counts beside its bytes. */
  public static final int ITEM = 64;

  /**
   * Bytes of a filter times bytes of a document. Up to there, matching the two takes milliseconds
   * and needs no meter.
   */
  public static final long LONG_MATCH = 1 << 26;

  private static final int WORK_PER_CHECK = 1 << 16;

  private final Runnable interrupt;
  private int work;

  /**
   * @param interrupt throws if the query has to end
   */
  public WorkMeter(Runnable interrupt) {
    this.interrupt = interrupt;
  }

  /** For work that is bounded, or that nothing interrupts. */
  public static WorkMeter unchecked() {
    return new WorkMeter(() -> {});
  }

  /** Counts one item of so many bytes. */
  public void add(int bytes) {
    work += ITEM + bytes;
    if (work >= WORK_PER_CHECK || work < 0) {
      check();
    }
  }

  /** Asks now. */
  public void check() {
    work = 0;
    interrupt.run();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof WorkMeter;
  }

  @Override
  public int hashCode() {
    return 0;
  }

  @Override
  public String toString() {
    return "meter";
  }
}
