package dev.wisent.cluster.shard.migration;

import dev.wisent.bson.RawDocument;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.ReadPoint;
import dev.wisent.operation.ResultCursor;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Reads all documents of a cursor once, batch by batch. Each batch is of the state at its time:
 * what is changed between them comes by other ways. Used by one thread.
 */
public final class RangeCopy implements AutoCloseable {
  private final OperationContext operation;
  private final Supplier<ReadPoint> states;
  private final Function<OperationContext, ResultCursor> source;
  private ResultCursor found;

  /**
   * @param source opens the cursor
   * @param operation only for these reads
   * @param states the newest state at a time, to be read without a trace in caches
   */
  public RangeCopy(
      Function<OperationContext, ResultCursor> source,
      OperationContext operation,
      Supplier<ReadPoint> states) {
    this.source = source;
    this.operation = operation;
    this.states = states;
  }

  /**
   * The next documents; none at the end.
   *
   * @param bytesMax after which a batch ends
   */
  public List<RawDocument> next(int documentsMax, long bytesMax) {
    var batch = new ArrayList<RawDocument>();
    try (ReadPoint state = states.get()) {
      operation.readPoint(state);
      if (found == null) {
        found = source.apply(operation);
      } else {
        found.attach(operation);
      }
      long bytes = 0;
      for (RawDocument each;
          batch.size() < documentsMax && bytes < bytesMax && (each = found.peek()) != null; ) {
        operation.checkInterrupt();
        batch.add(RawDocument.of(each.toByteArray()));
        bytes += each.length();
        found.take();
      }
      found.detach();
    }
    return batch;
  }

  @Override
  public void close() {
    if (found != null) {
      found.close();
    }
  }
}
