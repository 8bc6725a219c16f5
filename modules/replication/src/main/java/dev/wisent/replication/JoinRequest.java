package dev.wisent.replication;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.replication.config.ConfigReader;
import dev.wisent.replication.config.ConfigWriter;
import dev.wisent.replication.config.ReplicaSetConfig;

/**
 * The primary tells a node that it is a member from now on.
 *
 * @param memberId which one of the configuration it is
 */
public record JoinRequest(ReplicaSetConfig config, int memberId) {
  public static final String COMMAND = "_wisentReplSetJoin";

  public void append(BsonBuilder out) {
    out.appendString(COMMAND, config.name());
    out.appendInt32("memberId", memberId);
    out.appendDocument("config", ConfigWriter.stored(config));
  }

  /** Reads one; the caller has checked that the fields are there. */
  public static JoinRequest read(RawDocument body) {
    return new JoinRequest(
        ConfigReader.readStored(body.get("config").asDocument()),
        (int) body.get("memberId").toLong());
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
