package dev.wisent.replication.concern;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.replication.ReplicaSet.MemberPosition;
import dev.wisent.replication.config.MemberConfig;
import dev.wisent.replication.config.ReplicaSetConfig;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What write modes mean in one configuration.
 *
 * <p>A majority is one of the members that vote by the configuration. The log has voters of its
 * own, which follow the configuration one by one: the first member of a new set commits alone until
 * the others have joined. Only where both are the same is what the log has committed on a majority.
 */
public final class WriteQuorum {
  private final ReplicaSetConfig config;
  private final Set<Integer> logVoters;
  private final Set<Integer> voters;
  private final boolean votingArbiters;

  /**
   * @param logVoters the members whose majority commits what is in the log, by {@code _id}; empty
   *     while that is being changed
   */
  public WriteQuorum(ReplicaSetConfig config, Set<Integer> logVoters) {
    this.config = config;
    this.logVoters = Set.copyOf(logVoters);
    this.voters =
        config.members().stream()
            .filter(MemberConfig::isVoter)
            .filter(member -> !member.newlyAdded() || logVoters.contains(member.id()))
            .map(MemberConfig::id)
            .collect(Collectors.toUnmodifiableSet());
    this.votingArbiters = config.voterCount() > config.writableVoterCount();
  }

  /** Whether this is the quorum of that configuration with those voters of the log. */
  public boolean isOf(ReplicaSetConfig present, Set<Integer> presentLogVoters) {
    return config == present && logVoters.equals(presentLogVoters);
  }

  /** Whether the log commits by the majority that the configuration asks for. */
  public boolean isLogMajority() {
    return logVoters.equals(voters);
  }

  /**
   * Whether everything that a member has applied is on a majority: it is in the log of most of the
   * voters, and only arbiters have no data.
   */
  public boolean isAppliedOnMajority() {
    return !votingArbiters && isLogMajority();
  }

  /**
   * Whether writes without a write concern ask for a majority. They do not where arbiters would let
   * the loss of one member with data stop all writes.
   */
  public boolean isMajorityByDefault() {
    return !votingArbiters || config.writableVoterCount() > config.majorityVoteCount();
  }

  /**
   * Returns if a write can ever get as far as the mode asks for.
   *
   * @throws CommandException UnknownReplWriteConcern or UnsatisfiableWriteConcern
   */
  public void checkPossible(WriteMode mode) {
    switch (mode) {
      case WriteMode.Majority majority -> {}
      case WriteMode.Members members -> {
        if (members.count() > config.members().stream().filter(m -> !m.arbiter()).count()) {
          throw unsatisfiable("Not enough data-bearing nodes");
        }
      }
      case WriteMode.Named named -> {
        if (!hasTags(config.members(), counts(named))) {
          throw unsatisfiable("Not enough nodes match write concern mode \"" + named.name() + "\"");
        }
      }
      case WriteMode.Tags tags -> {
        if (!hasTags(config.members(), tags.counts())) {
          throw unsatisfiable("Not enough nodes match write concern mode " + tags.counts());
        }
      }
    }
  }

  /** Whether a write has got as far as the mode asks for. */
  public boolean isReached(WriteMode mode, long timestamp, List<MemberPosition> positions) {
    return switch (mode) {
      case WriteMode.Majority majority -> isOnMajority(timestamp, positions);
      case WriteMode.Members members -> holders(timestamp, positions).size() >= members.count();
      case WriteMode.Named named -> hasTags(holders(timestamp, positions), counts(named));
      case WriteMode.Tags tags -> hasTags(holders(timestamp, positions), tags.counts());
    };
  }

  private boolean isOnMajority(long timestamp, List<MemberPosition> positions) {
    List<MemberConfig> holders = holders(timestamp, positions);
    if (isAppliedOnMajority()) {
      return !holders.isEmpty();
    }
    long there = holders.stream().filter(member -> voters.contains(member.id())).count();
    return there >= Math.min(voters.size() / 2 + 1, writableVoterCount());
  }

  private long writableVoterCount() {
    return config.members().stream()
        .filter(member -> voters.contains(member.id()) && !member.arbiter())
        .count();
  }

  private List<MemberConfig> holders(long timestamp, List<MemberPosition> positions) {
    Set<Integer> ids = new HashSet<>();
    for (MemberPosition position : positions) {
      if (Long.compareUnsigned(position.applied().timestamp(), timestamp) >= 0) {
        ids.add(position.memberId());
      }
    }
    return config.members().stream()
        .filter(member -> ids.contains(member.id()) && !member.arbiter())
        .toList();
  }

  private Map<String, Integer> counts(WriteMode.Named mode) {
    Map<String, Integer> counts = config.settings().writeConcernModes().get(mode.name());
    if (counts == null) {
      throw new CommandException(
          ErrorCode.UNKNOWN_REPL_WRITE_CONCERN,
          "No write concern mode named '" + mode.name() + "' found in replica set configuration");
    }
    return counts;
  }

  private static boolean hasTags(List<MemberConfig> members, Map<String, Integer> counts) {
    Map<String, Set<String>> values = new HashMap<>();
    for (MemberConfig member : members) {
      member
          .tags()
          .forEach((key, value) -> values.computeIfAbsent(key, k -> new HashSet<>()).add(value));
    }
    return counts.entrySet().stream()
        .allMatch(
            asked -> values.getOrDefault(asked.getKey(), Set.of()).size() >= asked.getValue());
  }

  private static CommandException unsatisfiable(String message) {
    return new CommandException(ErrorCode.UNSATISFIABLE_WRITE_CONCERN, message);
  }
}
