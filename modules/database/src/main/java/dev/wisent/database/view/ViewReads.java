package dev.wisent.database.view;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.AggregateRequest;
import dev.wisent.operation.CountRequest;
import dev.wisent.operation.DeleteRequest;
import dev.wisent.operation.DistinctRequest;
import dev.wisent.operation.Explainable;
import dev.wisent.operation.FindAndModifyRequest;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.FindRequest.Tailing;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.QueryContexts;
import dev.wisent.operation.UpdateRequest;
import dev.wisent.pipeline.Pipeline;
import dev.wisent.pipeline.changestream.ChangeStreamStage;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.collation.CollationChoice;
import dev.wisent.query.context.QueryContext;

/** Makes of operations on views what they come down to: pipelines over collections. */
public final class ViewReads {
  private static final RawDocument SIMPLE =
      new BsonBuilder().appendString("locale", "simple").toDocument();

  /** Views have latencies too. */
  private static final String COLL_STATS = "$collStats";

  private final ResolvedView.Finder views;

  public ViewReads(ResolvedView.Finder views) {
    this.views = views;
  }

  /**
   * A read of a view as a pipeline over its collection; null if the name is not that of a view, or
   * if the request is about the view itself.
   */
  public AggregateRequest resolve(Explainable request, OperationContext operation) {
    boolean ofItself =
        request instanceof AggregateRequest aggregate
            && COLL_STATS.equals(aggregate.pipeline().source());
    ResolvedView view = ofItself ? null : views.find(request.namespace(), operation);
    if (view == null) {
      return null;
    }
    if (request instanceof AggregateRequest aggregate
        && ChangeStreamStage.of(aggregate.pipeline()) != null) {
      throw Views.refused(request.namespace());
    }
    if (!Collation.same(request.collation().or(view.collation()), view.collation())) {
      throw new CommandException(
          ErrorCode.OPTION_NOT_SUPPORTED_ON_VIEW, "Cannot override a view's default collation");
    }
    QueryContext context = QueryContexts.of(operation, view.collation());
    return switch (request) {
      case AggregateRequest aggregate ->
          over(view, aggregate.pipeline(), aggregate.hint(), context);
      case FindRequest find -> {
        checkOptions(find);
        yield over(view, Pipeline.parse(ReadStages.of(find), context), hint(find), context);
      }
      case CountRequest count ->
          over(view, Pipeline.parse(ReadStages.of(count), context), count.hint(), context);
      case DistinctRequest distinct ->
          over(view, Pipeline.parse(ReadStages.of(distinct), context), distinct.hint(), context);
      case UpdateRequest update -> throw Views.refused(update.namespace());
      case DeleteRequest delete -> throw Views.refused(delete.namespace());
      case FindAndModifyRequest change -> throw Views.refused(change.namespace());
    };
  }

  /**
   * The documents of a view that have the values of a distinct; null if the name is not that of a
   * view.
   */
  public AggregateRequest documents(DistinctRequest request, OperationContext operation) {
    if (views.find(request.namespace(), operation) == null) {
      return null; // Its filter may have what a pipeline may not.
    }
    QueryContext context = QueryContexts.of(operation, request.collation().or(null));
    Pipeline matching = Pipeline.parse(ReadStages.matching(request), context);
    return resolve(
        new AggregateRequest(request.namespace(), matching, request.hint(), request.collation()),
        operation);
  }

  private static AggregateRequest over(
      ResolvedView view, Pipeline pipeline, RawValue hint, QueryContext context) {
    // What the client's expressions may read is not the view's.
    Pipeline before = Pipeline.parse(view.pipeline(), context.withLet(RawDocument.EMPTY));
    RawDocument collation = view.collation() == null ? SIMPLE : view.collation().document();
    return new AggregateRequest(
        view.base(), pipeline.after(before), hint, CollationChoice.of(collation));
  }

  /** A sort in natural order says in which direction the collection is read. */
  private static RawValue hint(FindRequest find) {
    return find.hint() == null && find.sort().get("$natural") != null
        ? RawValue.ofDocument(find.sort())
        : find.hint();
  }

  private static void checkOptions(FindRequest find) {
    String option = refusedOption(find);
    if (option != null) {
      throw unsupported("Option " + option + " not supported in aggregation.");
    }
    if (find.tailing() != Tailing.NONE) {
      throw unsupported("Tailable cursors are not supported in aggregation.");
    }
    if (find.cursorOption() != null) {
      throw unsupported("Option " + find.cursorOption() + " not supported in aggregation.");
    }
  }

  private static String refusedOption(FindRequest find) {
    if (find.min() != null) {
      return "min";
    }
    if (find.max() != null) {
      return "max";
    }
    if (find.returnKey()) {
      return "returnKey";
    }
    return find.showRecordId() ? "showRecordId" : null;
  }

  private static CommandException unsupported(String message) {
    return new CommandException(ErrorCode.INVALID_PIPELINE_OPERATOR, message);
  }
}
