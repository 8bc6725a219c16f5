package dev.wisent.replication;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.replication.config.ConfigReader;
import dev.wisent.replication.config.ConfigWriter;
import dev.wisent.replication.config.ReplicaSetConfig;
import dev.wisent.replication.secret.LogSecret;

/**
 * The primary tells a node that it is a member from now on.
 *
 * @param memberId which one of the configuration it is
 * @param secret what the members of the set share; null if they share nothing yet
 * @param logProcess what the logs of the set call each other within; null for a network
 */
public record JoinRequest(
    ReplicaSetConfig config, int memberId, LogSecret secret, String logProcess) {
  public static final String COMMAND = "_wisentReplSetJoin";

  private static final String SECRET = "logSecret";
  private static final String PROCESS = "logProcess";
  private static final String IN_FORCE = "logSecretInForce";

  public void append(BsonBuilder out) {
    out.appendString(COMMAND, config.name());
    out.appendInt32("memberId", memberId);
    out.appendDocument("config", ConfigWriter.stored(config));
    if (secret != null) {
      out.appendBinary(SECRET, (byte) 0, secret.bytes());
      out.appendBoolean(IN_FORCE, secret.isInForce());
    }
    if (logProcess != null) {
      out.appendString(PROCESS, logProcess);
    }
  }

  /** Reads one; the caller has checked that the fields are there. */
  public static JoinRequest read(RawDocument body) {
    return new JoinRequest(
        ConfigReader.readStored(body.get("config").asDocument()),
        (int) body.get("memberId").toLong(),
        secret(body),
        Heartbeat.string(body, PROCESS, null));
  }

  private static LogSecret secret(RawDocument body) {
    RawValue bytes = body.get(SECRET);
    RawValue inForce = body.get(IN_FORCE);
    try {
      return bytes == null || bytes.type() != ElementType.BINARY
          ? null
          : LogSecret.of(bytes.asBinary(), inForce != null && inForce.isTruthy());
    } catch (IllegalArgumentException e) {
      throw new CommandException(ErrorCode.BAD_VALUE, e.getMessage());
    }
  }

  /**
   * The answer.
   *
   * @param peerId the id that the node has chosen for itself
   */
  public record Response(String peerId, int raftPort) {
    public void append(BsonBuilder out) {
      out.appendString("peerId", peerId);
      out.appendInt32("raftPort", raftPort);
    }

    public static Response read(RawDocument body) {
      return new Response(
          Heartbeat.string(body, "peerId", null), (int) Heartbeat.number(body, "raftPort", 0));
    }
  }
}
