package dev.wisent.cluster.router.write;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.UpdateStatement;
import dev.wisent.wire.DocumentSequence;
import java.util.List;

/**
 * A statement of a batch that is executed on its own.
 *
 * @param <S> what the batch has its statements as
 */
final class SingleStatement<S> implements SingleWrite {
  private final QueryBatch<S> batch;
  private final int index;
  private final S given;
  private final OperationContext operation;

  SingleStatement(QueryBatch<S> batch, int index, OperationContext operation) {
    this.batch = batch;
    this.index = index;
    this.given = batch.given(index);
    this.operation = operation;
  }

  @Override
  public RawDocument query() {
    return batch.query(given);
  }

  @Override
  public boolean isUpsert() {
    return update() != null && update().upsert();
  }

  @Override
  public UpdateStatement update() {
    return batch.update(given);
  }

  @Override
  public FindRequest search(RawDocument projection) {
    return batch.search(given).projection(projection).build(batch.namespace());
  }

  @Override
  public Form asGiven() {
    return form(batch.encode(given));
  }

  @Override
  public Form withoutUpsert() {
    return form(batch.encode(batch.withoutUpsert(given)));
  }

  @Override
  public Form restrictedTo(RawDocument filter) {
    return form(batch.encode(batch.restrictedTo(given, filter)));
  }

  @Override
  public Form inserting(RawDocument document) {
    if (update() == null) {
      throw new IllegalStateException("a delete inserts nothing");
    }
    return form(UpdateBatch.encoded(UpdateBatch.insertOf(document)));
  }

  private Form form(RawDocument statement) {
    return new Form(
        batch.namespace(),
        BatchCommand.ofOne(batch, index, operation),
        List.of(new DocumentSequence(batch.field(), List.of(statement))));
  }

  @Override
  public int statementId() {
    return operation.retryableWrite().statementId(index);
  }

  @Override
  public RawDocument nothing() {
    return new BsonBuilder(32).appendInt32("n", 0).appendInt32("nModified", 0).toDocument();
  }

  @Override
  public boolean hasMatched(RawDocument reply) {
    RawValue count = reply.get("n");
    return reply.get("writeErrors") != null || (count != null && count.toLong() > 0);
  }
}
