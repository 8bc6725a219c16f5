package dev.wisent.operation.definition;

/**
 * What was dropped.
 *
 * @param dropped whether there was something
 * @param indexes how many indexes the collection had; null for a view and a database
 */
public record DropOutcome(boolean dropped, Integer indexes, ChangeOutcome change) {
  /** There was nothing to drop. */
  public static final DropOutcome NOTHING = new DropOutcome(false, null, ChangeOutcome.DONE);
}
