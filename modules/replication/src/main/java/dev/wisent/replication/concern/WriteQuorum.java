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

/** What write modes mean in one configuration. */
public final class WriteQuorum {
  private final ReplicaSetConfig config;
  private final boolean votingArbiters;

  public WriteQuorum(ReplicaSetConfig config) {
    this.config = config;
    this.votingArbiters = config.voterCount() > config.writableVoterCount();
  }

  public ReplicaSetConfig config() {
    return config;
  }

  /**
   * Whether everything that a member has applied is on a majority: it is in the log of most of the
   * voters, and only arbiters have no data.
   */
  public boolean isAppliedOnMajority() {
    return !votingArbiters;
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
    return holders.stream().filter(MemberConfig::isVoter).count() >= config.writeMajorityCount();
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
