package dev.wisent.replication.member;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.replication.config.ReplicaSetConfig;

/** Entries of the oplog that change nothing, and tell its readers what happened to the set. */
final class NoopEntries {
  private NoopEntries() {}

  static byte[] initiation() {
    return note("initiating set", 0);
  }

  static byte[] newPrimary() {
    return note("new primary", 0);
  }

  static byte[] reconfiguration(ReplicaSetConfig config) {
    return note("Reconfig set", config.version());
  }

  private static byte[] note(String message, int version) {
    var out = new BsonBuilder();
    out.appendString("op", "n");
    out.appendString("ns", "");
    out.startDocument("o");
    out.appendString("msg", message);
    if (version > 0) {
      out.appendInt32("version", version);
    }
    out.end();
    return out.toDocument().toByteArray();
  }
}
