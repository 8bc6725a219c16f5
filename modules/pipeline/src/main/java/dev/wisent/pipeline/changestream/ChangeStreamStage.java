package dev.wisent.pipeline.changestream;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.pipeline.DocumentStream;
import dev.wisent.pipeline.Pipeline;
import dev.wisent.pipeline.Stage;
import dev.wisent.pipeline.StageRun;
import dev.wisent.pipeline.StageSplit;
import dev.wisent.pipeline.sort.SortPattern;
import dev.wisent.query.context.QueryContext;
import dev.wisent.query.expression.Dependencies;
import dev.wisent.query.path.FieldPath;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * {@code $changeStream}: the changes of a collection, a database or the deployment as events. The
 * runner of the pipeline makes the events; the other stages run over them.
 *
 * @param source the options as they were written
 * @param resumeAfter the event to go on after; null for none
 * @param startAfter the same, which may also be an invalidate; null for none
 * @param startAtOperationTime the timestamp to begin at; null for none
 * @param merged whether a router merges the stream with those of other shards, and looks whether
 *     one of them has the place to go on after
 */
public record ChangeStreamStage(
    RawDocument source,
    ResumeToken resumeAfter,
    ResumeToken startAfter,
    Long startAtOperationTime,
    FullDocument fullDocument,
    FullDocumentBeforeChange fullDocumentBeforeChange,
    boolean allChangesForCluster,
    boolean showExpandedEvents,
    boolean showSystemEvents,
    boolean showMigrationEvents,
    boolean showRawUpdateDescription,
    boolean merged)
    implements Stage {
  public static final String NAME = "$changeStream";

  /** What a router adds to the options for a shard. */
  private static final String MERGED = "merged";

  private static final String START = "startAtOperationTime";

  static ChangeStreamStage parse(RawValue argument, QueryContext context) {
    return ChangeStreamOptions.parse(argument, context.nesting().ofRouter());
  }

  /**
   * The options for a shard, whose stream a router merges with those of others. The newest versions
   * of documents are the router's to find: they may be on another shard.
   *
   * @param start the timestamp to begin at; of no meaning where the stream goes on after an event
   */
  public RawDocument mergedOptions(long start) {
    return resumeToken() == null ? mergedOptionsAt(start) : merged(source, Set.of()).toDocument();
  }

  /** The same for a shard whose stream begins at a time in any case. */
  public RawDocument mergedOptionsAt(long start) {
    return merged(source, Set.of("resumeAfter", "startAfter", START))
        .appendTimestamp(START, start)
        .toDocument();
  }

  private BsonBuilder merged(RawDocument options, Set<String> omitted) {
    var left = new HashSet<String>(omitted);
    if (fullDocument == FullDocument.UPDATE_LOOKUP) {
      left.add("fullDocument");
    }
    return new BsonBuilder(options.length() + 64)
        .appendAll(options.without(left))
        .appendBoolean(MERGED, true);
  }

  /** The options of a merged stream of everything in a collection from a time on. */
  public static RawDocument mergedOptionsFrom(long start) {
    return new BsonBuilder().appendTimestamp(START, start).appendBoolean(MERGED, true).toDocument();
  }

  /** The stage that a pipeline begins with; null if it is another one. */
  public static ChangeStreamStage of(Pipeline pipeline) {
    return !pipeline.stages().isEmpty()
            && pipeline.stages().getFirst() instanceof ChangeStreamStage stream
        ? stream
        : null;
  }

  /** The place to go on after; null for a stream that begins at a time. */
  public ResumeToken resumeToken() {
    return resumeAfter == null ? startAfter : resumeAfter;
  }

  @Override
  public boolean isSource() {
    return true;
  }

  @Override
  public List<RawDocument> explained() {
    return List.of(Stage.explained(NAME, source));
  }

  @Override
  public List<RawDocument> serialize() {
    return explained();
  }

  @Override
  public StageSplit split(QueryContext context) {
    var token = new SortPattern.Part(FieldPath.of("_id"), false);
    return new StageSplit.Divided(List.of(this), new SortPattern(List.of(token), null), List.of());
  }

  @Override
  public Sight addDependencies(Dependencies dependencies) {
    return Sight.OF_RESULT;
  }

  @Override
  public DocumentStream over(DocumentStream input, StageRun run) {
    throw new IllegalStateException("the runner of the pipeline makes the events");
  }
}
