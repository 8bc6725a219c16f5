package dev.wisent.server.command.diagnostic;

import dev.wisent.base.Clock;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.server.cursor.CursorRegistry;
import dev.wisent.server.cursor.OpenCursor;

/** An open cursor as {@code currentOp} shows it, idle or in use. */
final class CursorDocument {
  private static final long NANOS_PER_MILLI = 1_000_000;

  private CursorDocument() {}

  static void append(CursorRegistry.Progress progress, Clock clock, BsonBuilder out) {
    OpenCursor cursor = progress.cursor();
    long nowNanos = clock.monotonicNanos();
    long nowMillis = clock.wallMillis();
    out.startDocument("cursor");
    out.appendInt64("cursorId", cursor.id());
    out.appendDate(
        "createdDate", nowMillis - (nowNanos - progress.createdNanos()) / NANOS_PER_MILLI);
    out.appendDate(
        "lastAccessDate", nowMillis - (nowNanos - progress.lastUseNanos()) / NANOS_PER_MILLI);
    out.appendInt64("nDocsReturned", progress.documents());
    out.appendInt64("nBatchesReturned", progress.batches());
    out.appendBoolean("noCursorTimeout", cursor.neverTimesOut());
    out.appendBoolean("tailable", cursor.results().isTailable());
    out.appendBoolean("awaitData", cursor.results().awaitsData());
    out.appendDocument("originatingCommand", cursor.origin().command());
    if (cursor.origin().planSummary() != null) {
      out.appendString("planSummary", cursor.origin().planSummary());
    }
    out.end();
  }
}
