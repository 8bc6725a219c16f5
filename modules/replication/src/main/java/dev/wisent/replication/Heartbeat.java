package dev.wisent.replication;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import java.util.Arrays;
import java.util.UUID;

/** {@code replSetHeartbeat}: what members ask each other all the time, and what they answer. */
public final class Heartbeat {
  public static final String COMMAND = "replSetHeartbeat";

  private Heartbeat() {}

  /**
   * The question.
   *
   * @param from the sender's {@code host:port}; empty if it is not in a configuration yet
   * @param fromId its {@code _id}; -1 likewise
   * @param group the sender's log; null before there is one
   * @param checkEmpty whether the answer has to say if there is data
   * @param config the sender's configuration where the receiver has to know it; else null
   */
  public record Request(
      String setName,
      int configVersion,
      long configTerm,
      String from,
      int fromId,
      long term,
      UUID group,
      boolean checkEmpty,
      RawDocument config) {
    public void append(BsonBuilder out) {
      out.appendString(COMMAND, setName);
      out.appendInt32("configVersion", configVersion);
      out.appendInt64("configTerm", configTerm);
      out.appendInt32("hbv", 1);
      out.appendString("from", from);
      out.appendInt32("fromId", fromId);
      out.appendInt64("term", term);
      if (group != null) {
        out.appendString("logGroup", group.toString());
      }
      if (checkEmpty) {
        out.appendBoolean("checkEmpty", true);
      }
      if (config != null) {
        out.appendDocument("config", config);
      }
    }

    public static Request read(RawDocument body) {
      RawValue config = body.get("config");
      return new Request(
          string(body, COMMAND, ""),
          (int) number(body, "configVersion", 0),
          number(body, "configTerm", -1),
          string(body, "from", ""),
          (int) number(body, "fromId", -1),
          number(body, "term", -1),
          uuid(body, "logGroup"),
          isTrue(body, "checkEmpty"),
          config == null || !config.isDocument() ? null : config.asDocument().detached());
    }
  }

  /**
   * The answer.
   *
   * @param peerId the id that Raft knows the member by; null if by none
   * @param raftPort where Raft listens
   * @param logSecret which secret the member has for the port of the log, without giving it away;
   *     empty if none, null if it is of a version that knows of none
   * @param logProcess what its log calls other nodes within; null if it calls them over a network
   * @param config the member's configuration, if it is newer than the sender's; else null
   */
  public record Response(
      String setName,
      MemberState state,
      int configVersion,
      long configTerm,
      long term,
      int primaryId,
      OpTime applied,
      long appliedWallMillis,
      long electionTimestamp,
      boolean electable,
      String syncSource,
      boolean hasData,
      UUID group,
      String peerId,
      int raftPort,
      String logSecret,
      String logProcess,
      RawDocument config) {
    public void append(BsonBuilder out) {
      out.appendString("set", setName);
      out.appendInt32("state", state.code());
      out.appendInt32("v", configVersion);
      out.appendInt64("configTerm", configTerm);
      out.appendInt64("term", term);
      out.appendInt32("primaryId", primaryId);
      out.appendString("syncingTo", syncSource);
      OpTimes.append(out, "opTime", applied);
      out.appendDate("wallTime", appliedWallMillis);
      OpTimes.append(out, "writtenOpTime", applied);
      out.appendDate("writtenWallTime", appliedWallMillis);
      OpTimes.append(out, "durableOpTime", applied);
      out.appendDate("durableWallTime", appliedWallMillis);
      if (electionTimestamp != 0) {
        out.appendTimestamp("electionTime", electionTimestamp);
      }
      out.appendBoolean("electable", electable);
      out.appendBoolean("hasData", hasData);
      if (group != null) {
        out.appendString("logGroup", group.toString());
      }
      if (peerId != null) {
        out.appendString("peerId", peerId);
      }
      out.appendInt32("raftPort", raftPort);
      if (logSecret != null) {
        out.appendString("logSecret", logSecret);
      }
      if (logProcess != null) {
        out.appendString("logProcess", logProcess);
      }
      if (config != null) {
        out.appendDocument("config", config);
      }
    }

    public static Response read(RawDocument body) {
      RawValue config = body.get("config");
      RawValue wall = body.get("wallTime");
      RawValue election = body.get("electionTime");
      return new Response(
          string(body, "set", ""),
          stateOf((int) number(body, "state", MemberState.UNKNOWN.code())),
          (int) number(body, "v", 0),
          number(body, "configTerm", -1),
          number(body, "term", -1),
          (int) number(body, "primaryId", -1),
          OpTimes.read(body.get("opTime")),
          wall == null ? 0 : wall.asInt64(),
          election == null ? 0 : election.asInt64(),
          isTrue(body, "electable"),
          string(body, "syncingTo", ""),
          isTrue(body, "hasData"),
          uuid(body, "logGroup"),
          string(body, "peerId", null),
          (int) number(body, "raftPort", 0),
          string(body, "logSecret", null),
          string(body, "logProcess", null),
          config == null || !config.isDocument() ? null : config.asDocument().detached());
    }
  }

  private static MemberState stateOf(int code) {
    return Arrays.stream(MemberState.values())
        .filter(state -> state.code() == code)
        .findFirst()
        .orElse(MemberState.UNKNOWN);
  }

  public static String string(RawDocument body, String name, String otherwise) {
    RawValue value = body.get(name);
    return value != null && value.isString() ? value.asString() : otherwise;
  }

  public static long number(RawDocument body, String name, long otherwise) {
    RawValue value = body.get(name);
    return value != null && value.isNumber() ? value.toLong() : otherwise;
  }

  public static UUID uuid(RawDocument body, String name) {
    String text = string(body, name, null);
    return text == null ? null : UUID.fromString(text);
  }

  private static boolean isTrue(RawDocument body, String name) {
    RawValue value = body.get(name);
    return value != null && value.isTruthy();
  }
}
