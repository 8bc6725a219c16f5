package dev.wisent.database.write;

import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.database.OperationContext;
import dev.wisent.database.collection.QueryContexts;
import dev.wisent.database.operation.FindAndModifyOutcome;
import dev.wisent.database.operation.FindAndModifyRequest;
import dev.wisent.database.operation.UpdateStatement;
import dev.wisent.query.match.MatchDetails;
import dev.wisent.query.match.MatchParser;
import dev.wisent.query.projection.Projection;
import dev.wisent.query.update.Update;
import dev.wisent.query.update.UpdateParser;

/** Changes or removes one document, and returns it as it was or as it is now. */
public final class FindAndModifyExecutor {
  private final Writers writers;
  private final UpdateExecutor updates;
  private final DeleteExecutor deletes;

  public FindAndModifyExecutor(Writers writers, UpdateExecutor updates, DeleteExecutor deletes) {
    this.writers = writers;
    this.updates = updates;
    this.deletes = deletes;
  }

  public FindAndModifyOutcome run(OperationContext operation, FindAndModifyRequest request) {
    Projection projection = projection(operation, request);
    return request.isRemoval()
        ? remove(operation, request, projection)
        : update(operation, request, projection);
  }

  private FindAndModifyOutcome remove(
      OperationContext operation, FindAndModifyRequest request, Projection projection) {
    RawDocument removed =
        deletes.deleteOne(
            request.namespace(), request.query(), request.sort(), request.hint(), operation);
    return new FindAndModifyOutcome(
        shape(removed, projection, request, operation), removed == null ? 0 : 1, false, null);
  }

  private FindAndModifyOutcome update(
      OperationContext operation, FindAndModifyRequest request, Projection projection) {
    Update update = UpdateParser.parse(request.update(), request.arrayFilters(), writers.context());
    UpdateStatement statement = request.toUpdate();
    UpdateExecutor.Changed changed =
        updates.updateOne(
            request.namespace(), statement, update, request.bypassValidation(), operation);
    if (changed.before() == null && request.upsert()) {
      changed =
          updates.upsert(
              request.namespace(), statement, update, request.bypassValidation(), operation);
    }
    RawDocument value = request.returnNew() ? changed.after() : changed.before();
    RawValue upsertedId = changed.upsertedId();
    boolean found = changed.before() != null;
    return new FindAndModifyOutcome(
        shape(value, projection, request, operation),
        found || upsertedId != null ? 1 : 0,
        found,
        upsertedId);
  }

  private static Projection projection(OperationContext operation, FindAndModifyRequest request) {
    if (request.fields().isEmpty()) {
      return null;
    }
    return Projection.parse(request.fields(), request.query(), QueryContexts.of(operation));
  }

  private static RawDocument shape(
      RawDocument document,
      Projection projection,
      FindAndModifyRequest request,
      OperationContext operation) {
    if (document == null || projection == null) {
      return document;
    }
    MatchDetails details = null;
    if (projection.needsMatchDetails()) {
      details = new MatchDetails();
      MatchParser.parse(request.query(), QueryContexts.of(operation)).matches(document, details);
    }
    return projection.apply(document, details);
  }
}
