package dev.wisent.cluster.shard.range;

import dev.wisent.bson.BsonBuilder;
import java.util.concurrent.atomic.LongAdder;

/** What the range deleter has done since the start, and has to do. Thread-safe. */
public final class RangeDeletionFigures {
  private final LongAdder documents = new LongAdder();
  private final LongAdder bytes = new LongAdder();
  private volatile int tasks;

  void deleted(long moreDocuments, long moreBytes) {
    documents.add(moreDocuments);
    bytes.add(moreBytes);
  }

  void tasks(int count) {
    tasks = count;
  }

  /** Writes them under MongoDB's names. */
  public void append(BsonBuilder out) {
    out.appendInt64("countDocsDeletedByRangeDeleter", documents.sum());
    out.appendInt64("countBytesDeletedByRangeDeleter", bytes.sum());
    out.appendInt64("rangeDeleterTasks", tasks);
  }
}
