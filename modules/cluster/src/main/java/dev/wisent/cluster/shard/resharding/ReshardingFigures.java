package dev.wisent.cluster.shard.resharding;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** What {@code shardingStatistics.resharding} counts. Thread-safe. */
public final class ReshardingFigures {
  private final LongAdder started = new LongAdder();
  private final LongAdder documentsSent = new LongAdder();
  private final LongAdder bytesSent = new LongAdder();
  private final LongAdder pauseNanos = new LongAdder();
  private final LongAdder documentsReceived = new LongAdder();
  private final LongAdder bytesReceived = new LongAdder();

  void started() {
    started.increment();
  }

  void copied(ReshardDonation donation) {
    documentsSent.add(donation.documentsCopied());
    bytesSent.add(donation.bytesCopied());
  }

  void paused(long nanos) {
    pauseNanos.add(nanos);
  }

  void received(List<RawDocument> documents) {
    documentsReceived.add(documents.size());
    bytesReceived.add(documents.stream().mapToLong(RawDocument::length).sum());
  }

  public void append(BsonBuilder out) {
    out.startDocument("resharding");
    out.appendInt64("countStarted", started.sum());
    out.appendInt64("documentsSent", documentsSent.sum());
    out.appendInt64("bytesSent", bytesSent.sum());
    out.appendInt64("totalDonorPauseTimeMillis", TimeUnit.NANOSECONDS.toMillis(pauseNanos.sum()));
    out.appendInt64("documentsProcessed", documentsReceived.sum());
    out.appendInt64("bytesWritten", bytesReceived.sum());
    out.end();
  }
}
