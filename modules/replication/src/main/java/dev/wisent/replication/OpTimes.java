package dev.wisent.replication;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawValue;

/** Positions in documents: {@code {ts, t}}. */
public final class OpTimes {
  private OpTimes() {}

  public static void append(BsonBuilder out, String name, OpTime opTime) {
    out.startDocument(name);
    out.appendTimestamp("ts", opTime.timestamp());
    out.appendInt64("t", opTime.term());
    out.end();
  }

  public static OpTime read(RawValue value) {
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
