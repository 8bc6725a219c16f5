package dev.wisent.cluster.router.write;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.UpdateRequest;
import dev.wisent.operation.UpdateStatement;
import dev.wisent.query.collation.CollationChoice;
import dev.wisent.sharding.CollectionRouting;
import java.util.List;

/** The statements of an update. */
record UpdateBatch(UpdateRequest request, WriteTargeting targeting) implements StatementBatch {
  @Override
  public Namespace namespace() {
    return request.namespace();
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
  public int size() {
    return request.statements().size();
  }

  @Override
  public boolean ordered() {
    return request.ordered();
  }

  @Override
  public boolean bypassValidation() {
    return request.bypassValidation();
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
    return targeting.update(request.statements().get(index), routing, operation);
  }

  @Override
  public SingleWrite single(int index, OperationContext operation) {
    UpdateStatement given = request.statements().get(index);
    return new SingleStatement(this, index, given, operation) {
      @Override
      public RawDocument query() {
        return given.query();
      }

      @Override
      public FindRequest search(RawDocument projection) {
        return search(given.query(), given.collation())
            .projection(projection)
            .sort(given.sort())
            .hint(given.hint())
            .build(namespace());
      }

      @Override
      public Form restrictedTo(RawDocument filter) {
        return form(encode(onlyUpdating(given, filter)));
      }

      @Override
      public Form inserting(RawDocument document) {
        return form(encode(insertOf(document)));
      }
    };
  }

  private static UpdateStatement onlyUpdating(UpdateStatement given, RawDocument filter) {
    return new UpdateStatement(
        filter,
        given.update(),
        false,
        false,
        given.arrayFilters(),
        given.sort(),
        null,
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

  private static RawDocument encode(UpdateStatement statement) {
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
