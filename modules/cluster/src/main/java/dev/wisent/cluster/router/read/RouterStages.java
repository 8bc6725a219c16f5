package dev.wisent.cluster.router.read;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.call.RoutedOperation;
import dev.wisent.operation.AggregateRequest;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.QueryContexts;
import dev.wisent.operation.QueryOperation;
import dev.wisent.operation.ResultCursor;
import dev.wisent.operation.SortSettings;
import dev.wisent.pipeline.OpenStream;
import dev.wisent.pipeline.OtherCollection;
import dev.wisent.pipeline.Pipeline;
import dev.wisent.pipeline.StageRun;
import dev.wisent.pipeline.sort.SortSpace;
import dev.wisent.pipeline.write.PipelineOutput;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.collation.CollationChoice;
import dev.wisent.query.context.QueryContext;
import dev.wisent.query.path.FieldPath;
import java.util.HashSet;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Predicate;

/**
 * What the stages of a pipeline use that run on a router: its memory, and other collections, which
 * are read and written as a client would. It goes along with the pipeline's cursor from one
 * operation to the next.
 */
final class RouterStages implements StageRun {
  /** A pipeline without results. */
  private static final RawDocument NOTHING =
      new BsonBuilder(64)
          .startDocument(0)
          .startDocument("$match")
          .appendInt32("$alwaysFalse", 1)
          .end()
          .end()
          .toDocument();

  private final BiFunction<OperationContext, AggregateRequest, ResultCursor> reads;
  private final Predicate<Namespace> mayBeView;
  private final Namespace namespace;
  private final SortSpace space;
  private final PipelineOutput output;
  private final QueryOperation query;
  private final Set<Foreign> open = new HashSet<>();
  private OperationContext operation;

  /**
   * @param reads runs pipelines over other collections
   * @param mayBeView whether a name may be that of a view
   * @param namespace of the pipeline itself
   */
  RouterStages(
      BiFunction<OperationContext, AggregateRequest, ResultCursor> reads,
      Predicate<Namespace> mayBeView,
      Namespace namespace,
      SortSettings settings,
      RouterOutput output,
      OperationContext operation) {
    this.reads = reads;
    this.mayBeView = mayBeView;
    this.namespace = namespace;
    this.space = settings.space(operation);
    this.output = output.of(namespace.database(), this::operation);
    this.query = operation.query();
    this.operation = operation;
  }

  private OperationContext operation() {
    return operation;
  }

  @Override
  public SortSpace space() {
    return space;
  }

  @Override
  public PipelineOutput output() {
    return output;
  }

  @Override
  public OtherCollection collection(String database, String name, Collation collation) {
    String in = database == null ? namespace.database() : database;
    var there = new Namespace(in, name == null ? AggregatedReads.NO_COLLECTION : name);
    if (name != null && mayBeView.test(there) && isCheckedNow(there)) {
      checkCollation(there, collation);
    }
    return new Other(there);
  }

  /** Stages of a pipeline that is run for each document open a collection as often. */
  private boolean isCheckedNow(Namespace there) {
    RoutedOperation routed = RoutedOperation.of(operation);
    return routed == null || routed.checksCollation(there);
  }

  /**
   * Has the shard refuse a view of another collation, also where no document comes to be joined.
   */
  private void checkCollation(Namespace there, Collation collation) {
    Pipeline nothing = Pipeline.parse(NOTHING, QueryContexts.of(operation, collation));
    var request = new AggregateRequest(there, nothing, null, CollationChoice.exactly(collation));
    reads.apply(operation, request).close();
  }

  void attach(OperationContext under) {
    operation = under;
    query.moveTo(under);
    open.forEach(cursor -> cursor.results.attach(under));
  }

  void detach() {
    open.forEach(cursor -> cursor.results.detach());
    space.suspend();
    operation = null;
  }

  @Override
  public void close() {
    Set.copyOf(open).forEach(Foreign::close);
    space.close();
  }

  /** Another collection. Nothing is known of its size and indexes. */
  private final class Other implements OtherCollection {
    private final Namespace there;

    Other(Namespace there) {
      this.there = there;
    }

    @Override
    public OpenStream open(Pipeline pipeline, QueryContext context) {
      var request =
          new AggregateRequest(there, pipeline, null, CollationChoice.exactly(context.collation()));
      // The shards parse it again, with these variables.
      RawDocument variables = operation.let();
      operation.let(context.let());
      try {
        return new Foreign(reads.apply(operation, request));
      } finally {
        operation.let(variables);
      }
    }

    @Override
    public boolean findsByIndex(FieldPath path, QueryContext context) {
      return false;
    }

    @Override
    public long documents() {
      return 0;
    }

    @Override
    public long bytes() {
      return 0;
    }
  }

  /** What a stage reads of another collection. */
  private final class Foreign implements OpenStream {
    private final ResultCursor results;

    Foreign(ResultCursor results) {
      this.results = results;
      open.add(this);
    }

    @Override
    public RawDocument next() {
      RawDocument document = results.peek();
      if (document != null) {
        results.take();
      }
      return document;
    }

    @Override
    public void close() {
      if (open.remove(this)) {
        results.close();
      }
    }
  }
}
