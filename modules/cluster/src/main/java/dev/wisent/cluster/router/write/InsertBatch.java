package dev.wisent.cluster.router.write;

import dev.wisent.base.CommandException;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.InsertRequest;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.query.update.element.TopLevelFields;
import dev.wisent.sharding.CollectionRouting;
import java.util.function.Supplier;
import org.bson.types.ObjectId;

/** Documents to insert. They stay the client's bytes, unless they have no {@code _id}. */
final class InsertBatch implements StatementBatch {
  private final InsertRequest request;
  private final RawDocument[] documents;

  /**
   * @param newId the {@code _id} of documents that have none: it may be a part of the shard key,
   *     and all attempts to insert a document insert the same one
   */
  InsertBatch(InsertRequest request, Supplier<ObjectId> newId) {
    this.request = request;
    this.documents = request.documents().toArray(RawDocument[]::new);
    for (int i = 0; i < documents.length; i++) {
      if (TopLevelFields.id(documents[i]) == null) {
        documents[i] =
            TopLevelFields.arranged(documents[i], RawValue.ofObjectId(newId.get()), null);
      }
    }
  }

  @Override
  public Namespace namespace() {
    return request.namespace();
  }

  @Override
  public String command() {
    return "insert";
  }

  @Override
  public String field() {
    return "documents";
  }

  @Override
  public int size() {
    return documents.length;
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
    return false;
  }

  @Override
  public RawDocument statement(int index) {
    return documents[index];
  }

  @Override
  public StatementTarget target(int index, CollectionRouting routing, OperationContext operation) {
    try {
      byte[] key = routing.key().encodedKeyOf(documents[index]);
      return StatementTarget.Shards.one(routing.table().shardOf(key));
    } catch (CommandException e) {
      return new StatementTarget.Refused(e);
    }
  }

  @Override
  public SingleWrite single(int index, OperationContext operation) {
    throw new IllegalStateException("an insert has a target");
  }
}
