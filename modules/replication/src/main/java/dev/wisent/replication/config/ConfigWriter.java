package dev.wisent.replication.config;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;

/** Writes configurations as documents, with every field that MongoDB shows. */
public final class ConfigWriter {
  /** Kept by the set, and not shown. */
  static final String NEWLY_ADDED = "newlyAdded";

  private ConfigWriter() {}

  /** The fields as {@code replSetGetConfig} shows them. */
  public static void append(BsonBuilder out, ReplicaSetConfig config) {
    append(out, config, false);
  }

  private static void append(BsonBuilder out, ReplicaSetConfig config, boolean stored) {
    out.appendString("_id", config.name());
    out.appendInt32("version", config.version());
    appendNumber(out, "term", config.term());
    out.startArray("members");
    for (int i = 0; i < config.members().size(); i++) {
      out.startDocument(i);
      append(out, config.members().get(i), stored);
      out.end();
    }
    out.end();
    out.appendInt64("protocolVersion", 1);
    out.appendBoolean("writeConcernMajorityJournalDefault", true);
    out.startDocument("settings");
    append(out, config.settings());
    out.end();
  }

  /** The document that a set keeps: with the identity of its log. */
  public static RawDocument stored(ReplicaSetConfig config) {
    var out = new BsonBuilder();
    append(out, config, true);
    out.appendUuid(ConfigReader.LOG_GROUP, config.logGroup());
    return out.toDocument();
  }

  private static void append(BsonBuilder out, MemberConfig member, boolean stored) {
    out.appendInt32("_id", member.id());
    out.appendString("host", member.host());
    out.appendBoolean("arbiterOnly", member.arbiter());
    out.appendBoolean("buildIndexes", member.buildIndexes());
    out.appendBoolean("hidden", member.hidden());
    out.appendDouble("priority", member.priority());
    out.startDocument("tags");
    member.tags().forEach(out::appendString);
    out.end();
    out.appendInt64("secondaryDelaySecs", member.delaySeconds());
    out.appendInt32("votes", member.votes());
    if (stored && member.newlyAdded()) {
      out.appendBoolean(NEWLY_ADDED, true);
    }
  }

  private static void append(BsonBuilder out, SetSettings settings) {
    out.appendBoolean("chainingAllowed", settings.chainingAllowed());
    out.appendInt32("heartbeatIntervalMillis", settings.heartbeatIntervalMillis());
    out.appendInt32("heartbeatTimeoutSecs", settings.heartbeatTimeoutSeconds());
    out.appendInt32("electionTimeoutMillis", settings.electionTimeoutMillis());
    out.appendInt32("catchUpTimeoutMillis", settings.catchUpTimeoutMillis());
    out.appendInt32("catchUpTakeoverDelayMillis", settings.catchUpTakeoverDelayMillis());
    out.startDocument("getLastErrorModes");
    settings
        .writeConcernModes()
        .forEach(
            (mode, constraints) -> {
              out.startDocument(mode);
              constraints.forEach(out::appendInt32);
              out.end();
            });
    out.end();
    out.startDocument("getLastErrorDefaults");
    out.appendInt32("w", 1);
    out.appendInt32("wtimeout", 0);
    out.end();
    if (settings.replicaSetId() != null) {
      out.appendObjectId("replicaSetId", settings.replicaSetId());
    }
  }

  private static void appendNumber(BsonBuilder out, String name, long value) {
    if (value == (int) value) {
      out.appendInt32(name, (int) value);
    } else {
      out.appendInt64(name, value);
    }
  }
}
