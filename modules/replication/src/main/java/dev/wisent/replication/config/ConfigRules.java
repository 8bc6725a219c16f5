package dev.wisent.replication.config;

import static dev.wisent.replication.config.ConfigField.bad;

import dev.wisent.wire.HostAndPort;
import java.util.List;

/** What every configuration has to fulfil, whatever came before it. */
public final class ConfigRules {
  private static final int MEMBERS_MAX = 50;
  private static final int VOTERS_MAX = 7;
  private static final double PRIORITY_MAX = 1000;
  private static final long DELAY_SECONDS_MAX = 366L * 24 * 3600;

  private ConfigRules() {}

  /**
   * @param setName the name that this node was started with
   * @throws dev.wisent.base.CommandException InvalidReplicaSetConfig
   */
  public static void check(ReplicaSetConfig config, String setName) {
    if (config.name().isEmpty()) {
      throw bad("Replica set configuration must have non-empty _id field");
    }
    if (!config.name().equals(setName)) {
      throw bad(
          "Attempting to initiate a replica set with name "
              + config.name()
              + ", but command line reports "
              + setName
              + "; rejecting");
    }
    int count = config.members().size();
    if (count == 0 || count > MEMBERS_MAX) {
      throw bad(
          "Replica set configuration contains "
              + count
              + " members, but must have at least 1 and no more than  "
              + MEMBERS_MAX);
    }
    config.members().forEach(ConfigRules::checkMember);
    checkDistinct(config.members());
    checkLocalHosts(config.members());
    checkVoters(config);
    checkModes(config);
  }

  private static void checkMember(MemberConfig member) {
    if (!(member.priority() >= 0 && member.priority() <= PRIORITY_MAX)) {
      throw bad("priority field value of " + member.priority() + " is out of range");
    }
    if (member.votes() < 0 || member.votes() > 1) {
      throw bad("votes field value is " + member.votes() + " but must be 0 or 1");
    }
    if (member.delaySeconds() < 0 || member.delaySeconds() > DELAY_SECONDS_MAX) {
      throw bad(
          "secondaryDelaySecs field value of "
              + member.delaySeconds()
              + " seconds is out of range");
    }
    if (member.arbiter()) {
      checkArbiter(member);
    }
    if (member.priority() != 0) {
      checkElectable(member);
    }
    if (!member.buildIndexes()) {
      throw bad("buildIndexes: false is not supported: members hold the same data and indexes");
    }
  }

  private static void checkArbiter(MemberConfig member) {
    if (!member.isVoter()) {
      throw bad("Arbiter must vote (cannot have 0 votes)");
    }
    if (!member.tags().isEmpty()) {
      throw bad("Cannot set tags on arbiters.");
    }
    if (member.priority() != 0) {
      throw bad("Arbiters must have priority 0 or none, but found " + member.priority());
    }
  }

  private static void checkElectable(MemberConfig member) {
    if (!member.isVoter()) {
      throw bad("priority must be 0 when non-voting (votes:0)");
    }
    if (member.delaySeconds() > 0) {
      throw bad("priority must be 0 when secondaryDelaySecs is used");
    }
    if (member.hidden()) {
      throw bad("priority must be 0 when hidden=true");
    }
    if (!member.buildIndexes()) {
      throw bad("priority must be 0 when buildIndexes=false");
    }
  }

  private static void checkDistinct(List<MemberConfig> members) {
    for (int i = 0; i < members.size(); i++) {
      for (int j = i + 1; j < members.size(); j++) {
        MemberConfig one = members.get(i);
        MemberConfig other = members.get(j);
        if (one.id() == other.id()) {
          throw same("_id", i, j, one.id());
        }
        if (one.host().equals(other.host())) {
          throw same("host", i, j, one.host());
        }
      }
    }
  }

  private static RuntimeException same(String field, int i, int j, Object value) {
    return bad(
        "Found two member configurations with same %s field, members.%d.%s == members.%d.%s == %s"
            .formatted(field, i, field, j, field, value));
  }

  private static void checkLocalHosts(List<MemberConfig> members) {
    long local =
        members.stream().filter(member -> HostAndPort.parse(member.host()).isLocalHost()).count();
    if (local != 0 && local != members.size()) {
      throw bad(
          "Either all host names in a replica set configuration must be localhost references, or"
              + " none must be; found "
              + local
              + " out of "
              + members.size());
    }
  }

  private static void checkVoters(ReplicaSetConfig config) {
    int voters = config.voterCount();
    if (voters == 0 || voters > VOTERS_MAX) {
      throw bad(
          "Replica set configuration contains "
              + voters
              + " voting members, but must be at least 1 and no more than "
              + VOTERS_MAX);
    }
    if (config.members().stream().noneMatch(MemberConfig::isElectable)) {
      throw bad(
          "Replica set configuration must contain at least one non-arbiter member with priority >"
              + " 0");
    }
  }

  /** A mode that no set of members could ever fulfil would make every write wait for ever. */
  private static void checkModes(ReplicaSetConfig config) {
    config
        .settings()
        .writeConcernModes()
        .forEach(
            (mode, constraints) ->
                constraints.forEach((tag, count) -> checkConstraint(config, mode, tag, count)));
  }

  private static void checkConstraint(ReplicaSetConfig config, String mode, String tag, int count) {
    long values =
        config.members().stream()
            .map(member -> member.tags().get(tag))
            .filter(value -> value != null)
            .distinct()
            .count();
    if (values == 0) {
      throw bad(
          "No such tag \""
              + tag
              + "\" in the members, which settings.getLastErrorModes."
              + mode
              + " asks for");
    }
    if (values < count) {
      throw bad(
          "settings.getLastErrorModes."
              + mode
              + " asks for "
              + count
              + " different values of the tag \""
              + tag
              + "\", but the members have "
              + values);
    }
  }
}
