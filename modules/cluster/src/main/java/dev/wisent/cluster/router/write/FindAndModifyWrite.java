package dev.wisent.cluster.router.write;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.FindAndModifyOutcome;
import dev.wisent.operation.FindAndModifyRequest;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.UpdateStatement;
import dev.wisent.query.collation.CollationChoice;
import java.util.List;

/** A findAndModify. */
record FindAndModifyWrite(FindAndModifyRequest request, OperationContext operation)
    implements SingleWrite {
  @Override
  public RawDocument query() {
    return request.query();
  }

  @Override
  public boolean isUpsert() {
    return request.upsert();
  }

  @Override
  public FindRequest search(RawDocument projection) {
    return QueryBatch.search(request.query(), request.collation())
        .projection(projection)
        .sort(request.sort())
        .hint(request.hint())
        .build(request.namespace());
  }

  @Override
  public UpdateStatement update() {
    return request.isRemoval() ? null : request.toUpdate();
  }

  @Override
  public Form asGiven() {
    return form(request);
  }

  @Override
  public Form withoutUpsert() {
    return form(request.query(), request.hint());
  }

  @Override
  public Form restrictedTo(RawDocument filter) {
    return form(filter, null);
  }

  private Form form(RawDocument filter, RawValue hint) {
    return form(
        new FindAndModifyRequest(
            request.namespace(),
            filter,
            request.sort(),
            request.update(),
            request.returnNew(),
            false,
            request.fields(),
            request.arrayFilters(),
            request.bypassValidation(),
            hint,
            request.collation()));
  }

  @Override
  public Form inserting(RawDocument document) {
    return form(
        new FindAndModifyRequest(
            request.namespace(),
            KeylessWrites.NOTHING,
            RawDocument.EMPTY,
            RawValue.ofDocument(document),
            request.returnNew(),
            true,
            request.fields(),
            List.of(),
            request.bypassValidation(),
            null,
            CollationChoice.INHERITED));
  }

  private Form form(FindAndModifyRequest sent) {
    var out = new BsonBuilder(sent.query().length() + 256);
    out.appendString("findAndModify", sent.namespace().collection());
    out.appendDocument("query", sent.query());
    appendDocument(out, "sort", sent.sort());
    if (sent.isRemoval()) {
      out.appendBoolean("remove", true);
    } else {
      out.append("update", sent.update());
    }
    appendFlag(out, "new", sent.returnNew());
    appendFlag(out, "upsert", sent.upsert());
    appendDocument(out, "fields", sent.fields());
    StatementFields.appendArray(out, "arrayFilters", sent.arrayFilters());
    appendFlag(out, "bypassDocumentValidation", sent.bypassValidation());
    appendFlag(out, "bypassEmptyTsReplacement", operation.writes().keepEmptyTimestamps());
    StatementFields.append(out, sent.hint(), sent.collation());
    appendDocument(out, "let", operation.let());
    if (operation.retryableWrite() != null) {
      out.appendInt32("stmtId", statementId());
    }
    return new Form(sent.namespace(), out.toDocument(), List.of());
  }

  private static void appendDocument(BsonBuilder out, String name, RawDocument document) {
    if (!document.isEmpty()) {
      out.appendDocument(name, document);
    }
  }

  private static void appendFlag(BsonBuilder out, String name, boolean value) {
    if (value) {
      out.appendBoolean(name, true);
    }
  }

  @Override
  public int statementId() {
    return operation.retryableWrite().statementId(0);
  }

  @Override
  public RawDocument nothing() {
    return new BsonBuilder(64)
        .startDocument("lastErrorObject")
        .appendInt32("n", 0)
        .end()
        .toDocument();
  }

  @Override
  public boolean hasMatched(RawDocument reply) {
    return count(reply) > 0;
  }

  private static int count(RawDocument reply) {
    RawValue last = reply.get("lastErrorObject");
    return last == null ? 0 : (int) last.asDocument().get("n").toLong();
  }

  /** What a shard's reply says. */
  static FindAndModifyOutcome outcome(RawDocument reply) {
    RawValue value = reply.get("value");
    RawDocument last = reply.get("lastErrorObject").asDocument();
    RawValue updated = last.get("updatedExisting");
    RawValue retried = reply.get("retriedStmtId");
    return new FindAndModifyOutcome(
        value == null || !value.isDocument() ? null : value.asDocument(),
        count(reply),
        updated != null && updated.isTruthy(),
        last.get("upserted"),
        retried == null ? null : (int) retried.toLong());
  }
}
