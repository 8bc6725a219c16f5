package dev.wisent.replication;

/**
 * What this member knows of another one.
 *
 * @param answer its last answer; null if it never answered
 * @param state DOWN if it does not answer
 * @param upSinceNanos since when it answers; 0 if it does not
 * @param askedAtMillis when it was last asked, or 0
 * @param heardAtMillis when it last asked itself, or 0
 * @param message why it did not answer, or empty
 */
public record MemberView(
    Heartbeat.Response answer,
    MemberState state,
    OpTime applied,
    long upSinceNanos,
    long askedAtMillis,
    long heardAtMillis,
    long pingMillis,
    String message) {
  public static final MemberView UNKNOWN =
      new MemberView(null, MemberState.UNKNOWN, OpTime.NONE, 0, 0, 0, 0, "");

  public boolean isUp() {
    return upSinceNanos != 0;
  }

  public MemberView heardAt(long wallMillis) {
    return new MemberView(
        answer, state, applied, upSinceNanos, askedAtMillis, wallMillis, pingMillis, message);
  }

  public MemberView answered(
      Heartbeat.Response latest, long nowNanos, long askedMillis, long ping) {
    return new MemberView(
        latest,
        latest.state(),
        latest.applied().compareTo(applied) > 0 ? latest.applied() : applied,
        isUp() ? upSinceNanos : Math.max(1, nowNanos),
        askedMillis,
        heardAtMillis,
        ping,
        "");
  }

  public MemberView failed(long askedMillis, String why) {
    return new MemberView(answer, MemberState.DOWN, applied, 0, askedMillis, heardAtMillis, 0, why);
  }

  public MemberView applied(OpTime position) {
    return position.compareTo(applied) <= 0
        ? this
        : new MemberView(
            answer,
            state,
            position,
            upSinceNanos,
            askedAtMillis,
            heardAtMillis,
            pingMillis,
            message);
  }

  /** A member that has begun anew has none of what it had. */
  public MemberView withoutPosition() {
    return new MemberView(
        answer,
        state,
        OpTime.NONE,
        upSinceNanos,
        askedAtMillis,
        heardAtMillis,
        pingMillis,
        message);
  }
}
