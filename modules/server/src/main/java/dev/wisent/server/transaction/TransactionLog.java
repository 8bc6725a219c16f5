package dev.wisent.server.transaction;

import dev.wisent.base.ErrorCode;
import dev.wisent.base.log.Log;
import dev.wisent.base.log.LogValue;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.operation.transaction.EndedTransaction;
import dev.wisent.operation.transaction.OpenTransaction;
import dev.wisent.server.profile.LoggedDocument;
import dev.wisent.server.profile.ProfileSettings;
import java.util.concurrent.TimeUnit;

/** Log lines for transactions that took long. */
public final class TransactionLog {
  private static final int SLOW_LOG_ID = 51_802;
  private static final int EXPIRED_LOG_ID = 20_707;

  private final ProfileSettings settings;
  private final Log log;

  public TransactionLog(ProfileSettings settings, Log log) {
    this.settings = settings;
    this.log = log;
  }

  void ended(EndedTransaction ended) {
    OpenTransaction transaction = ended.transaction();
    if (ended.abortedBy() == ErrorCode.TRANSACTION_EXCEEDED_LIFETIME_LIMIT_SECONDS) {
      log.info(
          EXPIRED_LOG_ID,
          "Aborting transaction because it has been running for longer than"
              + " 'transactionLifetimeLimitSeconds'",
          "sessionId",
          json(transaction.id().session().document()),
          "txnNumber",
          transaction.id().number());
    }
    boolean slow = settings.isSlow(TimeUnit.MICROSECONDS.toNanos(transaction.openMicros()));
    if (log.isDebug() || (slow && settings.isSampled())) {
      write(ended, transaction);
    }
  }

  private void write(EndedTransaction ended, OpenTransaction transaction) {
    log.info(
        SLOW_LOG_ID,
        "transaction",
        "parameters",
        json(parameters(transaction)),
        "readTimestamp",
        "Timestamp(%d, %d)"
            .formatted(transaction.readTime() >>> 32, transaction.readTime() & 0xFFFF_FFFFL),
        "terminationCause",
        ended.committed() ? "committed" : "aborted",
        "timeActiveMicros",
        transaction.activeMicros(),
        "timeInactiveMicros",
        transaction.openMicros() - transaction.activeMicros(),
        "numYields",
        0,
        "wasPrepared",
        false,
        "durationMillis",
        TimeUnit.MICROSECONDS.toMillis(transaction.openMicros()));
  }

  private static RawDocument parameters(OpenTransaction transaction) {
    var out = new BsonBuilder();
    out.appendDocument("lsid", transaction.id().session().document());
    TransactionDocument.appendParameters(transaction, out);
    return out.toDocument();
  }

  private static LogValue json(RawDocument document) {
    return new LoggedDocument(document);
  }
}
