package dev.wisent.operation;

import java.util.Arrays;

/** The numbers that a client gave to the statements of a batch: one by one, or the first. */
public final class StatementIds {
  /** Statements are numbered as they come. */
  public static final StatementIds IN_ORDER = new StatementIds(null, 0);

  private final int[] given;
  private final int first;

  private StatementIds(int[] given, int first) {
    this.given = given;
    this.first = first;
  }

  public static StatementIds from(int first) {
    return new StatementIds(null, first);
  }

  public static StatementIds of(int[] given) {
    return new StatementIds(Arrays.copyOf(given, given.length), 0);
  }

  /** The number of a statement, by its place in the batch. */
  public int at(int index) {
    return given == null ? first + index : given[index];
  }
}
