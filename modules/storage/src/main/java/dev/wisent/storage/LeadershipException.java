package dev.wisent.storage;

/** A log did not commit a mutation for this node, because another node leads the log. */
public final class LeadershipException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** What is known of the mutation. */
  public enum Kind {
    /** The log takes no mutations from this node; nothing has happened. */
    NOT_LEADER,
    /** This node lost leadership before it knew whether the mutation was accepted. */
    LEADERSHIP_LOST
  }

  private final Kind kind;

  public LeadershipException(Kind kind, String message) {
    super(message);
    this.kind = kind;
  }

  public LeadershipException(Kind kind, String message, Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  public Kind kind() {
    return kind;
  }
}
