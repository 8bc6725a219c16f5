package dev.wisent.database.read;

import dev.wisent.bson.RawDocument;
import dev.wisent.database.OperationContext;
import dev.wisent.database.operation.ResultCursor;
import dev.wisent.query.aggregate.OpenStream;

/** What a stage reads of another collection. */
final class NestedCursor implements OpenStream {
  private final ResultCursor results;
  private final PipelineRun run;
  private boolean closed;

  NestedCursor(ResultCursor results, PipelineRun run) {
    this.results = results;
    this.run = run;
    run.opened(this);
  }

  @Override
  public RawDocument next() {
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
    if (!closed) {
      closed = true;
      run.closed(this);
      results.close();
    }
  }
}
