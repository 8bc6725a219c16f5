package dev.wisent.server.command.concern;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueText;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.ArgumentTypes;
import dev.wisent.server.command.CommandKind;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.command.CommandSpec;
import java.util.Locale;

/**
 * What a read may see. Every read sees what was committed, on a standalone as well as in a replica
 * set, so the levels up to majority mean the same; the others need a set.
 */
public final class ReadConcern {
  /** What is guaranteed of the data. */
  enum Level {
    LOCAL,
    AVAILABLE,
    MAJORITY,
    LINEARIZABLE,
    SNAPSHOT;

    String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private Level level = Level.LOCAL;
  private String time;
  private long timestamp;

  private ReadConcern() {}

  /** The read concern of a request, checked as far as that needs no set; null without one. */
  public static ReadConcern of(CommandRequest request, CommandSpec spec) {
    RawDocument given = request.readConcern();
    if (given == null) {
      return null;
    }
    ReadConcern concern = parse("readConcern", given);
    concern.checkConsistent();
    if (request.isInTransaction()) {
      concern.checkTransaction(request);
    } else {
      concern.checkSupported(spec, "", given);
    }
    return concern;
  }

  /** Fails if a command cannot be run in a transaction with a read concern; null for none. */
  public static void checkSupportedIn(CommandSpec spec, RawDocument ofTransaction) {
    if (ofTransaction != null && spec.kind() == CommandKind.DEFINITION) {
      parse("readConcern", ofTransaction)
          .checkSupported(spec, "this transaction's ", ofTransaction);
    }
  }

  /** The transaction has one read concern, and most commands can be run in it with any. */
  private void checkTransaction(CommandRequest request) {
    if (!request.startsTransaction()) {
      if (!request.readConcern().isEmpty()) {
        throw new CommandException(
            ErrorCode.INVALID_OPTIONS,
            "Only the first command in a transaction may specify a readConcern");
      }
      return;
    }
    if (level == Level.AVAILABLE || level == Level.LINEARIZABLE) {
      throw new CommandException(
          ErrorCode.INVALID_OPTIONS,
          "The readConcern level must be either 'local' (default), 'majority' or 'snapshot' in"
              + " order to run in a transaction");
    }
    if ("afterOpTime".equals(time)) {
      throw new CommandException(
          ErrorCode.INVALID_OPTIONS,
          "The readConcern cannot specify 'afterOpTime' in a transaction");
    }
  }

  static ReadConcern parse(String path, RawDocument given) {
    var concern = new ReadConcern();
    ArgumentReader fields = ArgumentReader.of(path, given);
    while (fields.next()) {
      switch (fields.name()) {
        case "level" -> concern.level = level(fields);
        case "afterClusterTime", "atClusterTime" -> concern.readTime(fields);
        case "afterOpTime" -> concern.readOpTime(fields);
        case "provenance" -> fields.string();
        default -> fields.unknown();
      }
    }
    return concern;
  }

  private static Level level(ArgumentReader fields) {
    String name = fields.string();
    for (Level level : Level.values()) {
      if (level.text().equals(name)) {
        return level;
      }
    }
    throw ArgumentTypes.notInEnumeration(fields.path(), name);
  }

  private void readTime(ArgumentReader fields) {
    if (time != null) {
      throw new CommandException(
          ErrorCode.INVALID_OPTIONS, "Can not specify both " + time + " and " + fields.name());
    }
    time = fields.name();
    timestamp = timestamp(fields.path(), fields.value());
    if (timestamp == 0) {
      throw new CommandException(ErrorCode.INVALID_OPTIONS, time + " cannot be a null timestamp");
    }
  }

  private void readOpTime(ArgumentReader fields) {
    RawValue ts = fields.document().get("ts");
    time = fields.name();
    if (ts == null) {
      throw ArgumentTypes.missing(fields.path() + ".ts");
    }
    timestamp = timestamp(fields.path() + ".ts", ts);
  }

  private static long timestamp(String path, RawValue value) {
    if (value.type() != ElementType.TIMESTAMP) {
      throw ArgumentTypes.wrongType(path, value.type(), "timestamp");
    }
    return value.asInt64();
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

  /**
   * @param whose what stands before the read concern in the message
   */
  private void checkSupported(CommandSpec spec, String whose, RawDocument given) {
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
              + " does not support "
              + whose
              + "{ readConcern: "
              + ValueText.of(given)
              + " } :: caused by :: "
              + reason);
    }
  }

  /** Refuses what only a member of a replica set can do. */
  public void checkStandalone() {
    if (level == Level.SNAPSHOT) {
      throw new CommandException(
          ErrorCode.NOT_A_REPLICA_SET,
          "node needs to be a replica set member to use readConcern: snapshot");
    }
    if (level == Level.LINEARIZABLE || "afterOpTime".equals(time)) {
      throw new CommandException(
          ErrorCode.NOT_A_REPLICA_SET, "node needs to be a replica set member to use read concern");
    }
    if (time != null) {
      throw new CommandException(
          ErrorCode.ILLEGAL_OPERATION,
          "Cannot specify " + time + " readConcern without replication enabled");
    }
  }

  /** The cluster time that a transaction is to read at; 0 for the newest state. */
  public long readTime() {
    return "atClusterTime".equals(time) ? timestamp : 0;
  }

  Level level() {
    return level;
  }

  /** The argument that names a time; null if none does. */
  String time() {
    return time;
  }

  /** That time, as the 64 bits of a BSON timestamp. */
  long timestamp() {
    return timestamp;
  }
}
