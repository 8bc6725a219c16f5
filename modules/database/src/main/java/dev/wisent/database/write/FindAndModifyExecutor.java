package dev.wisent.database.write;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.database.collection.Collection;
import dev.wisent.database.index.Index;
import dev.wisent.database.planner.TextQueries;
import dev.wisent.database.session.OperationState;
import dev.wisent.database.session.RetryableStatements;
import dev.wisent.database.session.RetryableStatements.Recording;
import dev.wisent.operation.FindAndModifyOutcome;
import dev.wisent.operation.FindAndModifyRequest;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.QueryContexts;
import dev.wisent.operation.UpdateParsing;
import dev.wisent.operation.UpdateStatement;
import dev.wisent.query.context.QueryContext;
import dev.wisent.query.match.MatchExpression;
import dev.wisent.query.match.MatchParser;
import dev.wisent.query.match.PositionalFilter;
import dev.wisent.query.match.TextMatch;
import dev.wisent.query.metadata.MetaType;
import dev.wisent.query.metadata.MetadataWriter;
import dev.wisent.query.projection.Projection;
import dev.wisent.query.text.TermScores;
import dev.wisent.query.update.Update;
import dev.wisent.query.update.UpdateContext;

/** Changes or removes one document, and returns it as it was or as it is now. */
public final class FindAndModifyExecutor {
  private final WriteAccess access;
  private final UpdateExecutor updates;
  private final DeleteExecutor deletes;

  public FindAndModifyExecutor(WriteAccess access, UpdateExecutor updates, DeleteExecutor deletes) {
    this.access = access;
    this.updates = updates;
    this.deletes = deletes;
  }

  public FindAndModifyOutcome run(OperationContext operation, FindAndModifyRequest request) {
    Projection projection = projection(operation, request);
    RetryableStatements retryable = OperationState.statements(operation);
    if (retryable != null
        && retryable.begin(
            0, request.returnNew() ? Recording.IMAGE_AFTER : Recording.IMAGE_BEFORE)) {
      return repeat(operation, request, projection, retryable);
    }
    return request.isRemoval()
        ? remove(operation, request, projection)
        : update(operation, request, projection);
  }

  private FindAndModifyOutcome remove(
      OperationContext operation, FindAndModifyRequest request, Projection projection) {
    RawDocument removed =
        deletes.deleteOne(request.namespace(), request.toDelete(), request.sort(), operation);
    return new FindAndModifyOutcome(
        shape(
            scored(removed, removed, projection, request, operation),
            projection,
            request,
            operation),
        removed == null ? 0 : 1,
        false,
        null,
        null);
  }

  private FindAndModifyOutcome update(
      OperationContext operation, FindAndModifyRequest request, Projection projection) {
    UpdateStatement statement = request.toUpdate();
    UpdateContext context = access.context(operation, request.namespace(), request.collation());
    Update update = UpdateParsing.parse(statement, context, operation);
    UpdateExecutor.Changed changed =
        updates.updateOne(
            request.namespace(), statement, update, request.bypassValidation(), operation);
    if (changed.before() == null && request.upsert()) {
      changed =
          updates.upsert(
              request.namespace(), statement, update, request.bypassValidation(), operation);
    }
    changed.noteMove(0, operation);
    RawDocument value = request.returnNew() ? changed.after() : changed.before();
    RawValue upsertedId = changed.upsertedId();
    boolean found = changed.before() != null;
    return new FindAndModifyOutcome(
        shape(
            scored(value, changed.before(), projection, request, operation),
            projection,
            request,
            operation),
        found || upsertedId != null ? 1 : 0,
        found,
        upsertedId,
        null);
  }

  /** Says again what the statement did; the request may ask for other fields than before. */
  private FindAndModifyOutcome repeat(
      OperationContext operation,
      FindAndModifyRequest request,
      Projection projection,
      RetryableStatements done) {
    RawDocument result = done.result();
    String kind = result == null || result.get("op") == null ? "" : result.get("op").asString();
    checkSameKind(request, kind);
    RawValue upsertedId = result.get("_id");
    RawValue image = result.get(request.returnNew() ? "after" : "before");
    if (image == null && (upsertedId == null || request.returnNew())) {
      throw new CommandException(
          ErrorCode.INCOMPLETE_TRANSACTION_HISTORY,
          "findAndModify retry request asks for the document "
              + (request.returnNew() ? "after" : "before")
              + " its change, and the first attempt asked for the other one");
    }
    return new FindAndModifyOutcome(
        image == null ? null : shape(image.asDocument(), projection, request, operation),
        1,
        kind.equals("u"),
        upsertedId,
        done.statementId());
  }

  private static void checkSameKind(FindAndModifyRequest request, String kind) {
    ErrorCode problem =
        switch (kind) {
          case "d" -> request.isRemoval() ? null : ErrorCode.RETRY_OF_FIND_AND_REMOVE;
          case "i" -> request.upsert() ? null : ErrorCode.RETRY_OF_FIND_AND_UPSERT;
          case "u" -> request.isRemoval() ? ErrorCode.RETRY_OF_FIND_AND_UPDATE : null;
          default -> ErrorCode.RETRY_OF_FIND_AND_UPDATE;
        };
    if (problem != null) {
      throw new CommandException(
          problem,
          "findAndModify retry request is not compatible with previous write in the transaction"
              + " of type: "
              + kind);
    }
  }

  private Projection projection(OperationContext operation, FindAndModifyRequest request) {
    if (request.fields().isEmpty()) {
      return null;
    }
    var projection =
        Projection.parse(request.fields(), request.query(), context(operation, request));
    if (projection.metadata().contains(MetaType.SORT_KEY)) {
      throw new CommandException(
          ErrorCode.BAD_VALUE, "Cannot use a $meta sortKey projection in findAndModify commands.");
    }
    return projection;
  }

  private QueryContext context(OperationContext operation, FindAndModifyRequest request) {
    return QueryContexts.of(
        operation, access.collation(operation, request.namespace(), request.collation()));
  }

  /** A result with the score that the search gave the document which it found. */
  private RawDocument scored(
      RawDocument value,
      RawDocument found,
      Projection projection,
      FindAndModifyRequest request,
      OperationContext operation) {
    if (value == null
        || found == null
        || projection == null
        || !projection.metadata().contains(MetaType.TEXT_SCORE)) {
      return value;
    }
    MatchExpression filter = MatchParser.parse(request.query(), context(operation, request));
    Collection collection = access.catalog().find(request.namespace(), operation);
    Index index = collection == null ? null : TextQueries.find(collection);
    if (index == null || TextMatch.in(filter) == null) {
      return value;
    }
    TextMatch text = TextMatch.in(TextMatch.bind(filter, index.text()));
    double score = new TermScores(index.text()).sum(found, text.search());
    return new MetadataWriter().start().put(MetaType.TEXT_SCORE, score).on(value);
  }

  private RawDocument shape(
      RawDocument document,
      Projection projection,
      FindAndModifyRequest request,
      OperationContext operation) {
    if (document == null || projection == null) {
      return document;
    }
    if (!projection.needsMatchDetails()) {
      return projection.apply(document, null);
    }
    var filter = MatchParser.parse(request.query(), context(operation, request));
    return projection.apply(document, PositionalFilter.of(filter).detailsOf(document));
  }
}
