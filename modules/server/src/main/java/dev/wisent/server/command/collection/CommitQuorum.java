package dev.wisent.server.command.collection;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawValue;
import dev.wisent.replication.config.MemberConfig;
import dev.wisent.replication.config.ReplicaSetConfig;

/**
 * {@code commitQuorum} of {@code createIndexes}: the members that have to be ready before an index
 * is. Members get the entries of an index through the log like everything else, so each of them is
 * ready as soon as it has applied the log that far; what is left to check is whether there are
 * enough members.
 *
 * @param mode null where a number was given
 */
record CommitQuorum(String mode, int members) {
  static final CommitQuorum VOTING_MEMBERS = new CommitQuorum("votingMembers", 0);

  private static final String MAJORITY = "majority";
  private static final int MEMBERS_MAX = 50;

  static CommitQuorum parse(RawValue value) {
    if (value.isString()) {
      return new CommitQuorum(value.asString(), 0);
    }
    if (!isNumber(value)) {
      throw new CommandException(
          ErrorCode.FAILED_TO_PARSE, "commitQuorum has to be a number or a string");
    }
    long members = value.toLong();
    if (members < 0 || members > MEMBERS_MAX) {
      throw new CommandException(
          ErrorCode.FAILED_TO_PARSE,
          "commitQuorum has to be a non-negative number and not greater than " + MEMBERS_MAX);
    }
    return new CommitQuorum(null, (int) members);
  }

  private static boolean isNumber(RawValue value) {
    return switch (value.type()) {
      case ElementType.INT32, ElementType.INT64, ElementType.DOUBLE, ElementType.DECIMAL128 -> true;
      default -> false;
    };
  }

  void check(ReplicaSetConfig config) {
    long builders =
        config.members().stream()
            .filter(member -> !member.arbiter() && member.buildIndexes())
            .count();
    long voters =
        config.members().stream()
            .filter(MemberConfig::isWritableVoter)
            .filter(MemberConfig::buildIndexes)
            .count();
    boolean possible;
    if (mode == null) {
      possible = members <= builders;
    } else if (mode.equals(MAJORITY)) {
      possible = config.writeMajorityCount() <= voters;
    } else {
      possible =
          mode.equals(VOTING_MEMBERS.mode)
              || config.settings().writeConcernModes().containsKey(mode);
    }
    if (!possible) {
      throw new CommandException(
          ErrorCode.UNSATISFIABLE_COMMIT_QUORUM,
          "Commit quorum cannot be satisfied with the current replica set configuration");
    }
  }

  void append(BsonBuilder reply) {
    if (mode == null) {
      reply.appendInt32("commitQuorum", members);
    } else {
      reply.appendString("commitQuorum", mode);
    }
  }
}
