package dev.wisent.cluster.router.write;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.UpdateStatement;
import dev.wisent.query.collation.CollationChoice;
import dev.wisent.wire.DocumentSequence;
import java.util.List;

/** A statement of a batch that is executed on its own. */
abstract class SingleStatement implements SingleWrite {
  private final StatementBatch batch;
  private final int index;
  private final UpdateStatement update;
  private final OperationContext operation;

  /**
   * @param update null for a removal
   */
  SingleStatement(
      StatementBatch batch, int index, UpdateStatement update, OperationContext operation) {
    this.batch = batch;
    this.index = index;
    this.update = update;
    this.operation = operation;
  }

  @Override
  public final boolean isUpsert() {
    return update != null && update.upsert();
  }

  @Override
  public final UpdateStatement update() {
    return update;
  }

  @Override
  public final Form asGiven() {
    return form(batch.statement(index));
  }

  final Form form(RawDocument statement) {
    return new Form(
        batch.namespace(),
        BatchCommand.ofOne(batch, index, operation),
        List.of(new DocumentSequence(batch.field(), List.of(statement))));
  }

  static FindRequest.Builder search(RawDocument query, CollationChoice collation) {
    return new FindRequest.Builder().filter(query).limit(1).collation(collation);
  }

  @Override
  public final int statementId() {
    return operation.retryableWrite().statementId(index);
  }

  @Override
  public final RawDocument nothing() {
    return new BsonBuilder(32).appendInt32("n", 0).appendInt32("nModified", 0).toDocument();
  }

  @Override
  public final boolean hasMatched(RawDocument reply) {
    RawValue count = reply.get("n");
    return reply.get("writeErrors") != null || (count != null && count.toLong() > 0);
  }
}
