package dev.wisent.replication.config;

import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * The configuration of a replica set.
 *
 * @param term the term in which it was made; -1 for one that was forced
 * @param logGroup the replicated log of this set: never the same for two sets; null where an
 *     administrator's document was read, who does not know it
 */
public record ReplicaSetConfig(
    String name,
    int version,
    long term,
    List<MemberConfig> members,
    SetSettings settings,
    UUID logGroup) {
  public static final long NO_TERM = -1;

  public ReplicaSetConfig {
    members = List.copyOf(members);
  }

  public Optional<MemberConfig> member(int id) {
    return members.stream().filter(member -> member.id() == id).findFirst();
  }

  public Optional<MemberConfig> memberAt(String host) {
    return members.stream().filter(member -> member.host().equals(host)).findFirst();
  }

  public int voterCount() {
    return (int) members.stream().filter(MemberConfig::isVoter).count();
  }

  /** How many votes an election takes. */
  public int majorityVoteCount() {
    return voterCount() / 2 + 1;
  }

  public int writableVoterCount() {
    return (int) members.stream().filter(MemberConfig::isWritableVoter).count();
  }

  /** How many members that hold data have to have a write of w: "majority". */
  public int writeMajorityCount() {
    return Math.min(majorityVoteCount(), writableVoterCount());
  }

  /** Whether this one takes the place of another one of the same set. */
  public boolean isNewerThan(ReplicaSetConfig other) {
    boolean termsDiffer = term != NO_TERM && other.term != NO_TERM && term != other.term;
    return termsDiffer ? term > other.term : version > other.version;
  }

  /** The same one with other members. */
  public ReplicaSetConfig withMembers(List<MemberConfig> others) {
    return new ReplicaSetConfig(name, version, term, others, settings, logGroup);
  }

  /** The same one as the set keeps it. */
  public ReplicaSetConfig in(UUID group, long newTerm, int newVersion, SetSettings newSettings) {
    return new ReplicaSetConfig(name, newVersion, newTerm, members, newSettings, group);
  }
}
