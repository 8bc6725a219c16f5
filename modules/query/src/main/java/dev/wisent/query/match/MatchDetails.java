package dev.wisent.query.match;

/**
 * Says which array element made a document match, for the positional {@code $} of updates and
 * projections. Made once per query and used for one document after the other.
 *
 * <p>As in MongoDB: where a path runs through several arrays the position in the outermost one
 * counts; of several conditions that matched array elements the last one counts; and {@code $or},
 * {@code $nor} and {@code $not} report nothing.
 */
public final class MatchDetails {
  private static final int NONE = -1;

  private int arrayIndex = NONE;

  public boolean hasArrayIndex() {
    return arrayIndex != NONE;
  }

  /** The position of the matched element, or -1 where no array element was matched. */
  public int arrayIndex() {
    return arrayIndex;
  }

  public void reset() {
    arrayIndex = NONE;
  }

  void record(int index) {
    arrayIndex = index;
  }
}
