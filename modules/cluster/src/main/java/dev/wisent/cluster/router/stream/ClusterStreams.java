package dev.wisent.cluster.router.stream;

import dev.wisent.base.Clock;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.call.ShardCalls;
import dev.wisent.cluster.call.ShardRequest;
import dev.wisent.cluster.router.read.PipelineExplanation;
import dev.wisent.database.changestream.ChangeStreams;
import dev.wisent.operation.AggregateRequest;
import dev.wisent.operation.ExplainRequest;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.ResultCursor;
import dev.wisent.operation.SortSettings;
import dev.wisent.pipeline.MatchStage;
import dev.wisent.pipeline.Pipeline;
import dev.wisent.pipeline.Stage;
import dev.wisent.pipeline.StageRun;
import dev.wisent.pipeline.changestream.ChangeStreamStage;
import dev.wisent.pipeline.changestream.FullDocument;
import dev.wisent.pipeline.changestream.ResumeToken;
import dev.wisent.pipeline.optimize.Conjunction;
import dev.wisent.pipeline.optimize.NeededFields;
import dev.wisent.pipeline.optimize.Optimizer;
import dev.wisent.query.expression.Dependencies;
import dev.wisent.query.match.AndMatch;
import dev.wisent.query.match.MatchExpression;
import dev.wisent.sharding.RoutingCatalog;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;

/** Opens change streams over all shards. Thread-safe. */
public final class ClusterStreams {
  private static final String FULL_DOCUMENT = "fullDocument";
  private static final RawDocument PING = new BsonBuilder().appendInt32("ping", 1).toDocument();

  private final ShardCalls calls;
  private final CurrentVersions versions;
  private final PassedTimes times;
  private final LongSupplier newest;
  private final SortSettings settings;

  /**
   * @param newest the newest cluster time that this router knows; 0 for none
   * @param settings what stages may use
   */
  public ClusterStreams(
      ShardCalls calls,
      RoutingCatalog catalog,
      LongSupplier newest,
      SortSettings settings,
      Clock clock) {
    this.calls = calls;
    this.versions = new CurrentVersions(calls, catalog);
    this.times = new PassedTimes(calls, clock);
    this.newest = newest;
    this.settings = settings;
  }

  /** Opens the stream that a pipeline begins with. */
  public ResultCursor open(OperationContext operation, AggregateRequest request) {
    ChangeStreams.checkNamespace(request);
    ChangeStreamStage stream = ChangeStreamStage.of(request.pipeline());
    Pipeline pipeline = Optimizer.optimize(request.pipeline());
    List<Stage> stages = pipeline.stages().subList(1, pipeline.stages().size());
    long known = known(operation);
    ResumeToken start = start(stream, known);
    if (!isLookedUp(stream, stages)) {
      return merged(operation, request, stream, stages, start, known);
    }
    ClusterStream events =
        merged(operation, request, stream, conditionsOfShards(stages), start, known);
    var here = new Pipeline(null, RawDocument.EMPTY, stages);
    StageRun run = StageRun.of(settings.space(operation));
    return new LookupCursor(events, versions, here, run, start, operation);
  }

  /** What each shard does for a stream, and what is done here; nothing is opened. */
  public RawDocument explain(OperationContext operation, ExplainRequest request) {
    var aggregate = (AggregateRequest) request.request();
    ChangeStreams.checkNamespace(aggregate);
    ChangeStreamStage stream = ChangeStreamStage.of(aggregate.pipeline());
    List<Stage> stages = Optimizer.optimize(aggregate.pipeline()).stages();
    List<Stage> after = stages.subList(1, stages.size());
    boolean lookedUp = isLookedUp(stream, after);
    List<Stage> ofShards = lookedUp ? conditionsOfShards(after) : after;
    long known = known(operation);
    long start = start(stream, known).clusterTime();
    var opening = new StreamOpening(calls, aggregate, stream, ofShards, start, operation);
    var shard = new ArrayList<Stage>(List.of(stages.getFirst()));
    shard.addAll(ofShards);
    return PipelineExplanation.ofParts(
        new Pipeline(null, RawDocument.EMPTY, shard),
        new Pipeline(null, RawDocument.EMPTY, lookedUp ? after : List.of()),
        opening.explain(operation, opening.shards(operation, known), request.verbosity()),
        request);
  }

  private ClusterStream merged(
      OperationContext operation,
      AggregateRequest request,
      ChangeStreamStage stream,
      List<Stage> stages,
      ResumeToken start,
      long known) {
    var opening = new StreamOpening(calls, request, stream, stages, start.clusterTime(), operation);
    // Before the list is read: a shard that comes later is an event of this stream.
    StreamInput config = opening.config(operation);
    boolean opened = false;
    try {
      List<StreamInput> shards = opening.open(operation, opening.shards(operation, known));
      var inputs = new StreamInputs(opening, times, config, shards);
      opened = true;
      return new ClusterStream(inputs, start, operation);
    } finally {
      if (!opened) {
        config.close();
      }
    }
  }

  private long known(OperationContext operation) {
    if (newest.getAsLong() == 0) {
      var unused = calls.call(operation, ShardRequest.control(ShardCalls.CONFIG, "admin", PING));
    }
    return newest.getAsLong();
  }

  private static ResumeToken start(ChangeStreamStage stream, long known) {
    ResumeToken token = stream.resumeToken();
    if (token != null) {
      return token;
    }
    Long time = stream.startAtOperationTime();
    return ResumeToken.highWaterMark(time == null ? known + 1 : time);
  }

  /**
   * Whether the newest versions of documents are asked for, and a stage or the client sees them.
   */
  private static boolean isLookedUp(ChangeStreamStage stream, List<Stage> stages) {
    if (stream.fullDocument() != FullDocument.UPDATE_LOOKUP) {
      return false;
    }
    Set<String> needed = NeededFields.of(stages);
    return needed == null || needed.stream().anyMatch(ClusterStreams::isOfFullDocument);
  }

  private static boolean isOfFullDocument(String path) {
    return path.equals(FULL_DOCUMENT) || path.startsWith(FULL_DOCUMENT + ".");
  }

  /** What shards can ask of events before they are completed. */
  private static List<Stage> conditionsOfShards(List<Stage> stages) {
    var conditions = new ArrayList<MatchExpression>();
    for (Stage stage : stages) {
      if (stage.filter() == null) {
        break;
      }
      for (MatchExpression condition : Conjunction.of(stage.filter())) {
        if (isOfShards(condition)) {
          conditions.add(condition);
        }
      }
    }
    return conditions.isEmpty() ? List.of() : List.of(MatchStage.of(AndMatch.of(conditions)));
  }

  private static boolean isOfShards(MatchExpression condition) {
    var read = new Dependencies();
    condition.addDependencies(read);
    return !read.needsWholeDocument()
        && !read.isRandom()
        && read.paths().stream().noneMatch(ClusterStreams::isOfFullDocument);
  }
}
