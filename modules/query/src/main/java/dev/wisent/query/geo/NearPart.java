package dev.wisent.query.geo;

/**
 * Keys that a search by distance has not read.
 *
 * @param least how near places with such a key can be
 * @param cell the one that {@code kind} speaks of
 * @param from the place of the first key in the order of all
 * @param to the place of the last one
 * @param finest the level down to which cells are divided before they are read
 * @param crowded whether that is known of this cell, and not only of those around the point
 */
record NearPart(
    Kind kind, double least, long cell, int level, long from, long to, int finest, boolean crowded)
    implements Comparable<NearPart> {

  /** Which keys these are. */
  enum Kind {
    /** Those that follow the point, of which only a few are of interest. */
    SAMPLE,
    /** All that are in a cell. */
    INSIDE,
    /** The number of a cell itself, where that can be a key. */
    ITSELF,
    /** All that are not in a cell around the point. */
    OUTSIDE
  }

  NearPart between(long first, long last) {
    return new NearPart(kind, least, cell, level, first, last, finest, crowded);
  }

  /** What is left of a cell that has too many keys. */
  NearPart crowdedFrom(long first, int finestLevel) {
    return new NearPart(kind, least, cell, level, first, to, finestLevel, true);
  }

  @Override
  public int compareTo(NearPart other) {
    int order = Double.compare(least, other.least);
    return order != 0 ? order : Long.compare(from, other.from);
  }
}
