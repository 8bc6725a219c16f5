package dev.wisent.conformance.fake;

import dev.wisent.base.CommandException;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.AggregateRequest;
import dev.wisent.operation.CountRequest;
import dev.wisent.operation.DeleteRequest;
import dev.wisent.operation.DeleteStatement;
import dev.wisent.operation.DistinctRequest;
import dev.wisent.operation.ExplainRequest;
import dev.wisent.operation.FindAndModifyOutcome;
import dev.wisent.operation.FindAndModifyRequest;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.InsertRequest;
import dev.wisent.operation.ListCursor;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.Operations;
import dev.wisent.operation.PipelineSources;
import dev.wisent.operation.QueryContexts;
import dev.wisent.operation.ResultCursor;
import dev.wisent.operation.UpdateRequest;
import dev.wisent.operation.VirtualReads;
import dev.wisent.operation.WriteOutcome;
import dev.wisent.pipeline.Pipeline;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.collation.CollationChoice;
import dev.wisent.query.context.QueryContext;
import dev.wisent.query.match.MatchExpression;
import dev.wisent.query.match.MatchParser;
import dev.wisent.query.match.PositionalFilter;
import dev.wisent.query.path.FieldPath;
import dev.wisent.query.path.PathWalk;
import dev.wisent.query.projection.Projection;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** Operations over lists of documents, be they stored or given. Thread-safe. */
final class FakeOperations implements Operations, VirtualReads {
  private final FakeStore store;
  private final FakeReads reads;
  private final FakeUpdates updates;
  private volatile PipelineSources sources;

  FakeOperations(FakeStore store) {
    this.store = store;
    this.reads = new FakeReads(store);
    this.updates = new FakeUpdates(store, reads);
  }

  /** Says what makes the documents of pipelines that report on the server. */
  void sources(PipelineSources of) {
    sources = of;
  }

  @Override
  public Collation collation(OperationContext operation, Namespace namespace) {
    return store.collation(namespace);
  }

  private QueryContext context(
      Namespace namespace, CollationChoice choice, OperationContext operation) {
    return QueryContexts.of(operation, choice.or(store.collation(namespace)));
  }

  private Stream<RawDocument> documents(Namespace namespace, RawValue hint) {
    return store.locked(() -> List.copyOf(reads.documents(namespace, hint))).stream();
  }

  @Override
  public ResultCursor find(OperationContext operation, FindRequest request) {
    return find(operation, request, documents(request.namespace(), request.hint()));
  }

  @Override
  public ResultCursor find(
      OperationContext operation, FindRequest request, Stream<RawDocument> documents) {
    boolean byIndex = request.min() != null || request.max() != null || request.returnKey();
    boolean byPlace = request.tailing() != FindRequest.Tailing.NONE || request.showRecordId();
    if (byIndex || byPlace) {
      throw FakeStore.refused("a find that needs capped collections or indexes");
    }
    QueryContext context = context(request.namespace(), request.collation(), operation);
    UnaryOperator<RawDocument> shape = shape(request.projection(), request.filter(), context);
    List<RawDocument> found =
        reads.matching(documents, request.filter(), request.sort(), context, operation);
    return new ListCursor(
        within(found, request.skip(), request.limit()).stream().map(shape).toList());
  }

  private static List<RawDocument> within(List<RawDocument> documents, long skip, long limit) {
    return documents.stream().skip(skip).limit(limit == 0 ? Long.MAX_VALUE : limit).toList();
  }

  private static UnaryOperator<RawDocument> shape(
      RawDocument fields, RawDocument filter, QueryContext context) {
    if (fields.isEmpty()) {
      return document -> document;
    }
    Projection projection = Projection.parse(fields, filter, context);
    if (!projection.needsMatchDetails()) {
      return document -> projection.apply(document, null);
    }
    MatchExpression matching = MatchParser.parse(filter, context);
    return document ->
        projection.apply(document, PositionalFilter.of(matching).detailsOf(document));
  }

  @Override
  public ResultCursor aggregate(OperationContext operation, AggregateRequest request) {
    Pipeline pipeline = request.pipeline();
    if (pipeline.source() != null) {
      return aggregate(
          operation, request, sources.documents(pipeline, request.namespace(), operation).stream());
    }
    return aggregate(
        operation,
        request,
        pipeline.isSource() ? Stream.of() : documents(request.namespace(), request.hint()));
  }

  @Override
  public ResultCursor aggregate(
      OperationContext operation, AggregateRequest request, Stream<RawDocument> documents) {
    return store.locked(
        () ->
            new ListCursor(
                reads.run(request.pipeline(), documents, request.namespace(), operation)));
  }

  @Override
  public long count(OperationContext operation, CountRequest request) {
    return count(operation, request, documents(request.namespace(), request.hint()));
  }

  @Override
  public long count(
      OperationContext operation, CountRequest request, Stream<RawDocument> documents) {
    QueryContext context = context(request.namespace(), request.collation(), operation);
    List<RawDocument> matching =
        reads.matching(documents, request.query(), RawDocument.EMPTY, context, operation);
    return within(matching, request.skip(), request.limit()).size();
  }

  @Override
  public List<RawValue> distinct(OperationContext operation, DistinctRequest request) {
    return distinct(operation, request, documents(request.namespace(), request.hint()));
  }

  @Override
  public List<RawValue> distinct(
      OperationContext operation, DistinctRequest request, Stream<RawDocument> documents) {
    QueryContext context = context(request.namespace(), request.collation(), operation);
    FieldPath path = FieldPath.of(request.key());
    var values = new ArrayList<RawValue>();
    for (RawDocument document :
        reads.matching(documents, request.query(), RawDocument.EMPTY, context, operation)) {
      PathWalk.find(
          path,
          RawValue.ofDocument(document),
          0,
          true,
          value -> {
            if (value != null && !value.isArray() && !contains(values, value, context)) {
              values.add(value);
            }
            return false;
          });
    }
    return values;
  }

  private static boolean contains(List<RawValue> values, RawValue value, QueryContext context) {
    return values.stream().anyMatch(known -> Collation.equal(context.collation(), known, value));
  }

  @Override
  public WriteOutcome insert(OperationContext operation, InsertRequest request) {
    return batch(
        request.documents().size(),
        request.ordered(),
        (outcome, i) -> {
          updates.insert(request.namespace(), request.documents().get(i), operation);
          outcome.addMatched(1);
        });
  }

  @Override
  public WriteOutcome update(OperationContext operation, UpdateRequest request) {
    return batch(
        request.statements().size(),
        request.ordered(),
        (outcome, i) ->
            updates
                .run(request.namespace(), request.statements().get(i), operation)
                .addTo(outcome, i));
  }

  @Override
  public WriteOutcome delete(OperationContext operation, DeleteRequest request) {
    Namespace namespace = request.namespace();
    return batch(
        request.statements().size(),
        request.ordered(),
        (outcome, i) -> {
          DeleteStatement statement = request.statements().get(i);
          outcome.addMatched(delete(namespace, statement, RawDocument.EMPTY, operation).size());
        });
  }

  /** One statement of a batch. */
  private interface Write {
    void run(WriteOutcome outcome, int index);
  }

  private WriteOutcome batch(int statements, boolean ordered, Write write) {
    var outcome = new WriteOutcome();
    for (int i = 0; i < statements; i++) {
      int index = i;
      try {
        store.locked(
            () -> {
              write.run(outcome, index);
              return null;
            });
      } catch (CommandException e) {
        outcome.addFailure(i, e);
        if (ordered) {
          break;
        }
      }
    }
    return outcome;
  }

  private List<RawDocument> delete(
      Namespace namespace,
      DeleteStatement statement,
      RawDocument sort,
      OperationContext operation) {
    List<RawDocument> matching =
        reads.matching(
            reads.documents(namespace, statement.hint()).stream(),
            statement.query(),
            sort,
            context(namespace, statement.collation(), operation),
            operation);
    List<RawDocument> chosen = within(matching, 0, statement.multi() ? 0 : 1);
    chosen.forEach(document -> store.find(namespace).remove(document));
    return chosen;
  }

  @Override
  public FindAndModifyOutcome findAndModify(
      OperationContext operation, FindAndModifyRequest request) {
    Namespace namespace = request.namespace();
    QueryContext context = context(namespace, request.collation(), operation);
    UnaryOperator<RawDocument> shape = shape(request.fields(), request.query(), context);
    return store.locked(
        () -> {
          if (request.isRemoval()) {
            List<RawDocument> removed =
                delete(namespace, request.toDelete(), request.sort(), operation);
            return new FindAndModifyOutcome(
                removed.isEmpty() ? null : shape.apply(removed.getFirst()),
                removed.size(),
                false,
                null,
                null);
          }
          FakeUpdates.Result result = updates.run(namespace, request.toUpdate(), operation);
          RawDocument value = request.returnNew() ? result.after() : result.before();
          boolean found = result.matched() > 0;
          return new FindAndModifyOutcome(
              value == null ? null : shape.apply(value),
              found || result.upsertedId() != null ? 1 : 0,
              found,
              result.upsertedId(),
              null);
        });
  }

  @Override
  public RawDocument explain(OperationContext operation, ExplainRequest request) {
    throw FakeStore.refused("explain");
  }

  @Override
  public void awaitDurable(OperationContext operation) {
    // Nothing here survives the process.
  }
}
