package dev.wisent.replication.raft;

/**
 * What a node has had to do with elections.
 *
 * @param candidacies how often it has stood since its start, as far as was looked
 * @param votedTerm the term that it has voted in last
 * @param votedFor the id that it has voted for then; null if for none
 */
public record Ballot(long candidacies, long votedTerm, String votedFor) {
  public static final Ballot NONE = new Ballot(0, 0, null);
}
