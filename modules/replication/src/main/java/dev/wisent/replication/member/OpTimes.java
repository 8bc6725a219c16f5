package dev.wisent.replication.member;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawValue;
import dev.wisent.replication.OpTime;

/** Positions in documents: {@code {ts, t}}. */
public final class OpTimes {
  private OpTimes() {}

  public static void append(BsonBuilder out, String name, OpTime opTime) {
    out.startDocument(name);
    out.appendTimestamp("ts", opTime.timestamp());
    out.appendInt64("t", opTime.term());
    out.end();
  }

  static OpTime read(RawValue value) {
    if (value == null || !value.isDocument()) {
      return OpTime.NONE;
    }
    RawValue timestamp = value.asDocument().get("ts");
    RawValue term = value.asDocument().get("t");
    return timestamp == null || term == null
        ? OpTime.NONE
        : new OpTime(timestamp.asInt64(), term.toLong());
  }
}
