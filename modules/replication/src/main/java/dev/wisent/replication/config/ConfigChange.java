package dev.wisent.replication.config;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;

/** Whether one configuration may follow another one. */
public final class ConfigChange {
  private ConfigChange() {}

  /**
   * @param force whether an administrator takes the risk of more than one voting change
   * @throws CommandException NewReplicaSetConfigurationIncompatible
   */
  public static void check(ReplicaSetConfig before, ReplicaSetConfig after, boolean force) {
    checkIdentity(before, after);
    if (!force && after.version() <= before.version()) {
      throw incompatible(
          "New replica set configuration version must be greater than old, but "
              + after.version()
              + " is not greater than "
              + before.version()
              + " for replica set "
              + after.name());
    }
    for (MemberConfig member : after.members()) {
      before.memberAt(member.host()).ifPresent(old -> checkSameHost(old, member, after.name()));
      before.member(member.id()).ifPresent(old -> checkSameId(old, member));
    }
    if (!force && votingChanges(before, after) > 1) {
      throw incompatible(
          "Non force replica set reconfig can only add or remove at most 1 voting member.");
    }
  }

  private static void checkIdentity(ReplicaSetConfig before, ReplicaSetConfig after) {
    if (!before.name().equals(after.name())) {
      throw incompatible(
          "New and old configurations differ in replica set name; was "
              + before.name()
              + ", and is now "
              + after.name());
    }
    var id = after.settings().replicaSetId();
    if (id != null && !id.equals(before.settings().replicaSetId())) {
      throw incompatible(
          "New and old configurations differ in replica set ID; was "
              + before.settings().replicaSetId()
              + ", and is now "
              + id);
    }
  }

  private static void checkSameHost(MemberConfig before, MemberConfig after, String set) {
    if (before.id() != after.id()) {
      throw incompatible(
          "New and old configurations both have members with host of "
              + after.host()
              + " but in the new configuration the _id field is "
              + after.id()
              + " and in the old configuration it is "
              + before.id()
              + " for replica set "
              + set);
    }
  }

  private static void checkSameId(MemberConfig before, MemberConfig after) {
    if (before.arbiter() != after.arbiter()) {
      throw incompatible(
          "New and old configurations differ in the setting of the arbiterOnly field for member "
              + after.host()
              + "; to make this change, remove then re-add the member");
    }
  }

  /** How many members begin or cease to vote. */
  private static int votingChanges(ReplicaSetConfig before, ReplicaSetConfig after) {
    Set<Integer> old = voters(before);
    Set<Integer> now = voters(after);
    Set<Integer> either = new HashSet<>(old);
    either.addAll(now);
    either.removeIf(id -> old.contains(id) && now.contains(id));
    return either.size();
  }

  private static Set<Integer> voters(ReplicaSetConfig config) {
    return config.members().stream()
        .filter(MemberConfig::isVoter)
        .map(MemberConfig::id)
        .collect(Collectors.toSet());
  }

  private static CommandException incompatible(String message) {
    return new CommandException(ErrorCode.NEW_REPLICA_SET_CONFIGURATION_INCOMPATIBLE, message);
  }
}
