package dev.wisent.cluster.router.write;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.UpdateRequest;
import dev.wisent.operation.UpdateStatement;
import dev.wisent.query.collation.CollationChoice;
import dev.wisent.sharding.CollectionRouting;
import java.util.List;

/** The statements of an update. */
final class UpdateBatch extends QueryBatch<UpdateStatement> {
  private final boolean bypassValidation;
  private final WriteTargeting targeting;

  UpdateBatch(UpdateRequest request, WriteTargeting targeting) {
    super(request.namespace(), request.statements(), request.ordered());
    this.bypassValidation = request.bypassValidation();
    this.targeting = targeting;
  }

  @Override
  public String command() {
    return "update";
  }

  @Override
  public String field() {
    return "updates";
  }

  @Override
  public boolean bypassValidation() {
    return bypassValidation;
  }

  @Override
  public StatementTarget target(int index, CollectionRouting routing, OperationContext operation) {
    return targeting.update(given(index), routing, operation);
  }

  @Override
  RawDocument query(UpdateStatement statement) {
    return statement.query();
  }

  @Override
  UpdateStatement update(UpdateStatement statement) {
    return statement;
  }

  @Override
  FindRequest.Builder search(UpdateStatement statement) {
    return search(statement.query(), statement.collation())
        .sort(statement.sort())
        .hint(statement.hint());
  }

  @Override
  UpdateStatement withoutUpsert(UpdateStatement given) {
    return of(given, given.query(), given.hint());
  }

  @Override
  UpdateStatement restrictedTo(UpdateStatement given, RawDocument filter) {
    return of(given, filter, null);
  }

  private static UpdateStatement of(UpdateStatement given, RawDocument filter, RawValue hint) {
    return new UpdateStatement(
        filter,
        given.update(),
        false,
        false,
        given.arrayFilters(),
        given.sort(),
        hint,
        given.constants(),
        given.collation());
  }

  /** An upsert that matches nothing and inserts just this document. */
  static UpdateStatement insertOf(RawDocument document) {
    return new UpdateStatement(
        KeylessWrites.NOTHING,
        RawValue.ofDocument(document),
        false,
        true,
        List.of(),
        RawDocument.EMPTY,
        null,
        RawDocument.EMPTY,
        CollationChoice.INHERITED);
  }

  @Override
  RawDocument encode(UpdateStatement statement) {
    return encoded(statement);
  }

  static RawDocument encoded(UpdateStatement statement) {
    var out = new BsonBuilder(statement.query().length() + statement.update().length() + 64);
    out.appendDocument("q", statement.query());
    out.append("u", statement.update());
    if (statement.multi()) {
      out.appendBoolean("multi", true);
    }
    if (statement.upsert()) {
      out.appendBoolean("upsert", true);
    }
    StatementFields.appendArray(out, "arrayFilters", statement.arrayFilters());
    if (!statement.sort().isEmpty()) {
      out.appendDocument("sort", statement.sort());
    }
    if (!statement.constants().isEmpty()) {
      out.appendDocument("c", statement.constants());
    }
    StatementFields.append(out, statement.hint(), statement.collation());
    return out.toDocument();
  }
}
