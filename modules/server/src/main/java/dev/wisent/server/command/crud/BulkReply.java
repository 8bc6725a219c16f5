package dev.wisent.server.command.crud;

import dev.wisent.base.CommandException;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.operation.WriteOutcome;
import dev.wisent.server.dispatch.ErrorReply;

/** The result of one operation of a bulkWrite. */
final class BulkReply {
  private BulkReply() {}

  static RawDocument done(int index, long count) {
    return start(index, 1).appendInt32("n", (int) count).toDocument();
  }

  static RawDocument updated(int index, WriteOutcome outcome) {
    BsonBuilder out = start(index, 1);
    out.appendInt32("n", (int) (outcome.matched() + outcome.upserted().size()));
    out.appendInt32("nModified", (int) outcome.modified());
    if (!outcome.upserted().isEmpty()) {
      out.startDocument("upserted");
      out.append("_id", outcome.upserted().getFirst().id());
      out.end();
    }
    return out.toDocument();
  }

  static RawDocument failed(int index, CommandException error) {
    BsonBuilder out = start(index, 0);
    out.appendInt32("n", 0);
    ErrorReply.appendWriteError(out, error);
    return out.toDocument();
  }

  private static BsonBuilder start(int index, double ok) {
    return new BsonBuilder().appendDouble("ok", ok).appendInt32("idx", index);
  }
}
