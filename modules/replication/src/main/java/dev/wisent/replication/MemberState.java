package dev.wisent.replication;

/** What a member of a replica set is at the moment, with MongoDB's numbers. */
public enum MemberState {
  STARTUP(0),
  PRIMARY(1),
  SECONDARY(2),
  RECOVERING(3),
  STARTUP2(5),
  UNKNOWN(6),
  ARBITER(7),
  DOWN(8),
  REMOVED(10);

  private final int code;

  MemberState(int code) {
    this.code = code;
  }

  public int code() {
    return code;
  }

  /** Whether reads can be answered, if the client allows it. */
  public boolean isReadable() {
    return this == PRIMARY || this == SECONDARY;
  }
}
