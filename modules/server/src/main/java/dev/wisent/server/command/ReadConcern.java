package dev.wisent.server.command;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.ValueText;
import java.util.Locale;

/**
 * What a read may see. Every read of a node that is not replicated sees what was committed, so the
 * levels up to majority mean the same here; those that need other members are refused.
 */
final class ReadConcern {
  private enum Level {
    LOCAL,
    AVAILABLE,
    MAJORITY,
    LINEARIZABLE,
    SNAPSHOT
  }

  private Level level = Level.LOCAL;
  private String time;

  private ReadConcern() {}

  /** Checks the read concern of a request, if it has one. */
  static void check(CommandRequest request, CommandSpec spec) {
    RawDocument given = request.readConcern();
    if (given == null) {
      return;
    }
    ReadConcern concern = parse(given);
    concern.checkConsistent();
    concern.checkSupported(spec, given);
    concern.checkPossible();
  }

  private static ReadConcern parse(RawDocument given) {
    var concern = new ReadConcern();
    ArgumentReader fields = ArgumentReader.of("readConcern", given);
    while (fields.next()) {
      switch (fields.name()) {
        case "level" -> concern.level = level(fields);
        case "afterClusterTime", "atClusterTime" -> concern.readTime(fields);
        case "afterOpTime" -> {
          fields.document();
          concern.time = fields.name();
        }
        case "provenance" -> fields.string();
        default -> fields.unknown();
      }
    }
    return concern;
  }

  private static Level level(ArgumentReader fields) {
    String name = fields.string();
    for (Level level : Level.values()) {
      if (level.name().toLowerCase(Locale.ROOT).equals(name)) {
        return level;
      }
    }
    throw new CommandException(
        ErrorCode.BAD_VALUE,
        "Enumeration value '" + name + "' for field '" + fields.path() + "' is not a valid value.");
  }

  private void readTime(ArgumentReader fields) {
    if (fields.value().type() != ElementType.TIMESTAMP) {
      throw ArgumentTypes.wrongType(fields.path(), fields.value().type(), "timestamp");
    }
    if (time != null) {
      throw new CommandException(
          ErrorCode.INVALID_OPTIONS, "Can not specify both " + time + " and " + fields.name());
    }
    time = fields.name();
  }

  private void checkConsistent() {
    if ("afterClusterTime".equals(time)
        && (level == Level.AVAILABLE || level == Level.LINEARIZABLE)) {
      throw new CommandException(
          ErrorCode.INVALID_OPTIONS,
          "afterClusterTime field can be set only if level is equal to majority, local, or"
              + " snapshot");
    }
    if ("atClusterTime".equals(time) && level != Level.SNAPSHOT) {
      throw new CommandException(
          ErrorCode.INVALID_OPTIONS,
          "atClusterTime field can be set only if level is equal to snapshot");
    }
  }

  private void checkSupported(CommandSpec spec, RawDocument given) {
    String reason =
        switch (spec.readConcern()) {
          case ALL -> null;
          case NO_SNAPSHOT ->
              level == Level.SNAPSHOT ? "read concern snapshot not supported" : null;
          case LOCAL_ONLY -> level == Level.LOCAL ? null : "read concern not supported";
        };
    if (reason != null) {
      throw new CommandException(
          ErrorCode.INVALID_OPTIONS,
          "Command "
              + spec.name()
              + " does not support { readConcern: "
              + ValueText.of(given)
              + " } :: caused by :: "
              + reason);
    }
  }

  private void checkPossible() {
    if (level == Level.LINEARIZABLE) {
      throw new CommandException(
          ErrorCode.NOT_A_REPLICA_SET, "node needs to be a replica set member to use read concern");
    }
    if (level == Level.SNAPSHOT) {
      throw new CommandException(
          ErrorCode.NOT_A_REPLICA_SET,
          "node needs to be a replica set member to use readConcern: snapshot");
    }
    if ("afterOpTime".equals(time)) {
      throw new CommandException(
          ErrorCode.NOT_A_REPLICA_SET, "node needs to be a replica set member to use read concern");
    }
    if (time != null) {
      throw new CommandException(
          ErrorCode.ILLEGAL_OPERATION,
          "Cannot specify " + time + " readConcern without replication enabled");
    }
  }
}
