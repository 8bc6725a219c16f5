package dev.wisent.cluster.router.write;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.operation.DeleteRequest;
import dev.wisent.operation.DeleteStatement;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.sharding.CollectionRouting;

/** The statements of a delete. */
record DeleteBatch(DeleteRequest request, WriteTargeting targeting) implements StatementBatch {
  @Override
  public Namespace namespace() {
    return request.namespace();
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
  public int size() {
    return request.statements().size();
  }

  @Override
  public boolean ordered() {
    return request.ordered();
  }

  @Override
  public boolean bypassValidation() {
    return false;
  }

  @Override
  public boolean hasVariables() {
    return true;
  }

  @Override
  public RawDocument statement(int index) {
    return encode(request.statements().get(index));
  }

  @Override
  public StatementTarget target(int index, CollectionRouting routing, OperationContext operation) {
    return targeting.delete(request.statements().get(index), routing, operation);
  }

  @Override
  public SingleWrite single(int index, OperationContext operation) {
    DeleteStatement given = request.statements().get(index);
    return new SingleStatement(this, index, null, operation) {
      @Override
      public RawDocument query() {
        return given.query();
      }

      @Override
      public FindRequest search(RawDocument projection) {
        return search(given.query(), given.collation())
            .projection(projection)
            .hint(given.hint())
            .build(namespace());
      }

      @Override
      public Form restrictedTo(RawDocument filter) {
        return form(encode(new DeleteStatement(filter, false, null, given.collation())));
      }

      @Override
      public Form inserting(RawDocument document) {
        throw new IllegalStateException("a delete inserts nothing");
      }
    };
  }

  private static RawDocument encode(DeleteStatement statement) {
    var out = new BsonBuilder(statement.query().length() + 64);
    out.appendDocument("q", statement.query());
    out.appendInt32("limit", statement.multi() ? 0 : 1);
    StatementFields.append(out, statement.hint(), statement.collation());
    return out.toDocument();
  }
}
