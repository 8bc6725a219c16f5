package dev.wisent.cluster.router.write;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.operation.DeleteRequest;
import dev.wisent.operation.DeleteStatement;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.UpdateStatement;
import dev.wisent.sharding.CollectionRouting;

/** The statements of a delete. */
final class DeleteBatch extends QueryBatch<DeleteStatement> {
  private final WriteTargeting targeting;

  DeleteBatch(DeleteRequest request, WriteTargeting targeting) {
    super(request.namespace(), request.statements(), request.ordered());
    this.targeting = targeting;
  }

  @Override
  public String command() {
    return "delete";
  }

  @Override
  public String field() {
    return "deletes";
  }

  @Override
  public boolean bypassValidation() {
    return false;
  }

  @Override
  public StatementTarget target(int index, CollectionRouting routing, OperationContext operation) {
    return targeting.delete(given(index), routing, operation);
  }

  @Override
  RawDocument query(DeleteStatement statement) {
    return statement.query();
  }

  @Override
  UpdateStatement update(DeleteStatement statement) {
    return null;
  }

  @Override
  FindRequest.Builder search(DeleteStatement statement) {
    return search(statement.query(), statement.collation()).hint(statement.hint());
  }

  @Override
  DeleteStatement withoutUpsert(DeleteStatement given) {
    return given;
  }

  @Override
  DeleteStatement restrictedTo(DeleteStatement given, RawDocument filter) {
    return new DeleteStatement(filter, false, null, given.collation());
  }

  @Override
  RawDocument encode(DeleteStatement statement) {
    var out = new BsonBuilder(statement.query().length() + 64);
    out.appendDocument("q", statement.query());
    out.appendInt32("limit", statement.multi() ? 0 : 1);
    StatementFields.append(out, statement.hint(), statement.collation());
    return out.toDocument();
  }
}
