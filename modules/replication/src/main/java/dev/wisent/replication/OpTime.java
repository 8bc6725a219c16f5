package dev.wisent.replication;

/**
 * When an operation happened in the life of a replica set.
 *
 * @param timestamp cluster time, as the 64 bits of a BSON timestamp: seconds, then an increment
 * @param term the term of the primary that wrote it
 */
public record OpTime(long timestamp, long term) implements Comparable<OpTime> {
  public static final OpTime NONE = new OpTime(0, -1);

  @Override
  public int compareTo(OpTime other) {
    int byTerm = Long.compare(term, other.term);
    return byTerm != 0 ? byTerm : Long.compareUnsigned(timestamp, other.timestamp);
  }
}
