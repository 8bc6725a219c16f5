package dev.wisent.server.transaction;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.operation.transaction.OpenTransaction;
import java.time.Instant;

/** An open transaction as {@code currentOp} shows it. */
public final class TransactionDocument {
  private TransactionDocument() {}

  public static void append(OpenTransaction transaction, BsonBuilder out) {
    out.startDocument("transaction");
    out.startDocument("parameters");
    appendParameters(transaction, out);
    out.end();
    out.appendTimestamp("readTimestamp", transaction.readTime());
    out.appendString(
        "startWallClockTime", Instant.ofEpochMilli(transaction.startWallMillis()).toString());
    out.appendInt64("timeOpenMicros", transaction.openMicros());
    out.appendInt64("timeActiveMicros", transaction.activeMicros());
    out.appendInt64("timeInactiveMicros", transaction.openMicros() - transaction.activeMicros());
    out.appendString("expiryTime", Instant.ofEpochMilli(transaction.expiryWallMillis()).toString());
    out.end();
  }

  /** What its client said of it. */
  static void appendParameters(OpenTransaction transaction, BsonBuilder out) {
    out.appendInt64("txnNumber", transaction.id().number());
    out.appendInt32("txnRetryCounter", 0);
    out.appendBoolean("autocommit", false);
    if (transaction.readConcern() != null) {
      out.appendDocument("readConcern", transaction.readConcern());
    }
  }
}
