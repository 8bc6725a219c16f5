package dev.wisent.server.profile;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.LittleEndian;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.server.operation.RunningOperation;

/** What the reply of a command says about the work that was done. */
final class ReplyFigures {
  private final RunningOperation operation;
  private final RawDocument reply;

  ReplyFigures(RunningOperation operation, RawDocument reply) {
    this.operation = operation;
    this.reply = reply;
  }

  /** A reply that is complete but for its end. */
  static RawDocument unfinished(BsonBuilder reply, int firstField) {
    int start = firstField - Integer.BYTES;
    byte[] copy = new byte[reply.position() - start + 1];
    System.arraycopy(reply.bytes(), start, copy, 0, copy.length - 1);
    LittleEndian.putInt32(copy, 0, copy.length);
    return RawDocument.of(copy);
  }

  /** The cursor that was left open or has just been used up. */
  void appendCursor(BsonBuilder out) {
    RawValue cursor = reply.get("cursor");
    if (cursor == null) {
      return;
    }
    RawValue open = cursor.asDocument().get("id");
    boolean exhausted = open == null || open.toLong() == 0;
    if (operation.spec().name().equals("getMore")) {
      out.appendInt64("cursorid", operation.request().argument().toLong());
    } else if (!exhausted) {
      out.appendInt64("cursorid", open.toLong());
    }
    if (exhausted) {
      out.appendBoolean("cursorExhausted", true);
    }
  }

  /** How many documents were changed, in the words for each kind of write. */
  void appendWrites(BsonBuilder out) {
    switch (operation.spec().name()) {
      case "insert" -> appendCount("ninserted", reply.get("n"), out);
      case "delete" -> appendCount("ndeleted", reply.get("n"), out);
      case "update" -> {
        RawValue upserted = reply.get("upserted");
        int inserted = upserted == null ? 0 : upserted.asDocument().fieldCount();
        RawValue n = reply.get("n");
        if (n != null) {
          out.appendInt64("nMatched", n.toLong() - inserted);
        }
        appendCount("nModified", reply.get("nModified"), out);
        if (inserted > 0) {
          out.appendBoolean("upsert", true);
        }
      }
      case "findAndModify" -> appendFindAndModify(out);
      default -> {}
    }
  }

  private void appendFindAndModify(BsonBuilder out) {
    RawValue outcome = reply.get("lastErrorObject");
    if (outcome == null) {
      return;
    }
    RawDocument fields = outcome.asDocument();
    if (fields.get("updatedExisting") == null) {
      appendCount("ndeleted", fields.get("n"), out);
    } else if (fields.get("upserted") != null) {
      out.appendInt64("nMatched", 0);
      out.appendInt64("nModified", 0);
      out.appendBoolean("upsert", true);
    } else {
      appendCount("nMatched", fields.get("n"), out);
      appendCount("nModified", fields.get("n"), out);
    }
  }

  private static void appendCount(String name, RawValue count, BsonBuilder out) {
    if (count != null) {
      out.appendInt64(name, count.toLong());
    }
  }

  /** How many documents were sent. */
  void appendReturned(BsonBuilder out) {
    RawValue cursor = reply.get("cursor");
    if (cursor == null) {
      return;
    }
    RawValue batch = cursor.asDocument().get("firstBatch");
    if (batch == null) {
      batch = cursor.asDocument().get("nextBatch");
    }
    if (batch != null) {
      out.appendInt64("nreturned", batch.asDocument().fieldCount());
    }
  }

  void appendError(BsonBuilder out) {
    RawValue ok = reply.get("ok");
    if (ok == null || ok.toLong() == 1) {
      return;
    }
    out.appendDouble("ok", 0);
    out.append("errMsg", reply.get("errmsg"));
    out.append("errName", reply.get("codeName"));
    out.append("errCode", reply.get("code"));
  }
}
