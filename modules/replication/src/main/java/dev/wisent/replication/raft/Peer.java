package dev.wisent.replication.raft;

/**
 * A node of a replicated log.
 *
 * @param id stands for one address for ever: a node that is elsewhere gets another one
 * @param address {@code host:port} where it listens for the others
 * @param priority the live voter with the highest one is to lead; 0 never leads
 */
public record Peer(String id, String address, int priority, Role role) {
  /** What a peer does. */
  public enum Role {
    /** Counts for majorities and may lead. */
    VOTER,
    /** Gets everything, and counts for nothing. */
    LISTENER
  }
}
