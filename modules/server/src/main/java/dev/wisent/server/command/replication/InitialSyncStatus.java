package dev.wisent.server.command.replication;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.replication.SetStatus.InitialSync;
import dev.wisent.replication.SyncReport;

/**
 * {@code initialSyncStatus}: how a member gets everything from another one. It copies files, so
 * there is nothing to tell of databases and collections; and it goes on trying for ever, so there
 * is no limit of attempts.
 */
final class InitialSyncStatus {
  private InitialSyncStatus() {}

  static void append(BsonBuilder out, InitialSync sync, long nowMillis) {
    SyncReport report = sync.report();
    out.startDocument("initialSyncStatus");
    out.appendString("method", "fileCopyBased");
    out.appendInt64("failedInitialSyncAttempts", report.failures());
    out.appendDate("initialSyncStart", report.startMillis());
    if (!report.isUnderWay()) {
      out.appendDate("initialSyncEnd", report.endMillis());
    }
    long endMillis = report.isUnderWay() ? nowMillis : report.endMillis();
    long elapsedMillis = Math.max(0, endMillis - report.startMillis());
    out.appendInt64("totalInitialSyncElapsedMillis", elapsedMillis);
    out.startArray("initialSyncAttempts");
    for (int i = 0; i < report.attempts().size(); i++) {
      SyncReport.Attempt attempt = report.attempts().get(i);
      out.startDocument(i);
      out.appendInt64("durationMillis", attempt.durationMillis());
      out.appendString("status", attempt.status());
      out.appendString("syncSource", sync.sources().getOrDefault(attempt.sourceId(), ""));
      out.end();
    }
    out.end();
    out.appendInt64("approxTotalDataSize", report.totalBytes());
    out.appendInt64("approxTotalBytesCopied", report.copiedBytes());
    if (report.copiedBytes() > 0) {
      out.appendInt64(
          "remainingInitialSyncEstimatedMillis", remainingMillis(report, elapsedMillis));
    }
    out.end();
  }

  /** As long for each byte that is left as for one that is here. */
  private static long remainingMillis(SyncReport report, long elapsedMillis) {
    double millisPerByte = elapsedMillis / (double) report.copiedBytes();
    return (long) (millisPerByte * (report.totalBytes() - report.copiedBytes()));
  }
}
