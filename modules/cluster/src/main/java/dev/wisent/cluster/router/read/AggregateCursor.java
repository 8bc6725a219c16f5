package dev.wisent.cluster.router.read;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.call.RemoteCursor;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.ResultCursor;
import dev.wisent.pipeline.DocumentStream;
import dev.wisent.pipeline.Pipeline;
import java.util.List;

/** What the last part of a pipeline makes of the results of shards. */
final class AggregateCursor implements ResultCursor {
  private final ResultCursor inputs;
  private final DocumentStream stages;
  private final RouterStages run;
  private RawDocument ahead;
  private boolean ended;

  /**
   * @param cursors those of the shards, closed with this one
   * @param run what the stages may use, closed likewise
   */
  AggregateCursor(AggregatedReads.Plan plan, List<RemoteCursor> cursors, RouterStages run) {
    this.inputs = new MergedCursor(cursors, null, 0, 0, false, false).readingAhead();
    this.run = run;
    boolean named = plan.split().shard() != null && plan.split().shard().source() != null;
    List<DocumentStream> streams =
        plan.split().order() == null && !named
            ? List.of(() -> next(inputs))
            : cursors.stream().map(cursor -> stream(cursor, named)).toList();
    this.stages = plan.split().over(streams, run);
  }

  private AggregateCursor(ResultCursor inputs, DocumentStream stages, RouterStages run) {
    this.inputs = inputs;
    this.stages = stages;
    this.run = run;
  }

  static AggregateCursor over(ResultCursor inputs, Pipeline stages, RouterStages run) {
    return new AggregateCursor(inputs, stages.over(() -> next(inputs), 0, run), run);
  }

  private static DocumentStream stream(RemoteCursor cursor, boolean named) {
    return named
        ? () -> {
          RawDocument document = next(cursor);
          return document == null ? null : ofShard(document, cursor.shard());
        }
        : () -> {
          RawDocument document = next(cursor);
          cursor.fetchAhead();
          return document;
        };
  }

  /** What a shard reports on itself, with its name. */
  private static RawDocument ofShard(RawDocument document, String shard) {
    return new BsonBuilder(document.length() + 32)
        .appendAll(document)
        .appendString("shard", shard)
        .toDocument();
  }

  private static RawDocument next(ResultCursor cursor) {
    RawDocument document = cursor.peek();
    if (document != null) {
      cursor.take();
    }
    return document;
  }

  @Override
  public RawDocument peek() {
    if (ahead == null && !ended) {
      ahead = stages.next();
      ended = ahead == null;
      if (ahead != null) {
        ResultCursor.requireReplySize(ahead);
      }
    }
    return ahead;
  }

  @Override
  public void take() {
    ahead = null;
  }

  @Override
  public boolean isExhausted() {
    return ended;
  }

  @Override
  public void attach(OperationContext operation) {
    inputs.attach(operation);
    run.attach(operation);
  }

  @Override
  public void detach() {
    if (ahead != null) {
      ahead = RawDocument.of(ahead.toByteArray());
    }
    run.detach();
    inputs.detach();
  }

  @Override
  public void close() {
    run.close();
    inputs.close();
  }
}
