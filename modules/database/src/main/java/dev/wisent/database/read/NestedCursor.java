package dev.wisent.database.read;

import dev.wisent.bson.RawDocument;
import dev.wisent.database.cursor.PlannedCursor;
import dev.wisent.database.exec.LookupReadCounts;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.ResultCursor;
import dev.wisent.pipeline.OpenStream;

/** What a stage reads of another collection. */
final class NestedCursor implements OpenStream {
  private final ResultCursor results;
  private final PipelineRun run;
  private final LookupReadCounts reads;
  private boolean closed;

  /**
   * @param reads counts what is read; null where it is not asked for
   */
  NestedCursor(ResultCursor results, PipelineRun run, LookupReadCounts reads) {
    this.results = results;
    this.run = run;
    this.reads = reads;
    run.opened(this);
  }

  @Override
  public RawDocument next() {
    if (reads == null) {
      return advance();
    }
    reads.begin(run.operation());
    RawDocument document = advance();
    reads.end(run.operation());
    return document;
  }

  private RawDocument advance() {
    RawDocument document = results.peek();
    if (document != null) {
      results.take();
    }
    return document;
  }

  void attach(OperationContext operation) {
    results.attach(operation);
  }

  void detach() {
    results.detach();
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    run.closed(this);
    if (reads == null) {
      results.close();
      return;
    }
    reads.add(PlannedCursor.planOf(results));
    reads.begin(run.operation());
    results.close();
    reads.end(run.operation());
  }
}
