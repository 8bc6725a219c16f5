package dev.wisent.database.exec;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.database.collection.Collection;
import dev.wisent.database.plan.PlanNode;
import dev.wisent.database.plan.StageStats;
import dev.wisent.sharding.OwnedKeys;

/** The one record with a given {@code _id}. */
public final class IdLookupStep extends RecordStep {
  private final Collection collection;
  private final RawValue id;
  private final IdReader reader;
  private final OwnedKeys owned;
  private boolean done;

  IdLookupStep(StageStats stats, PlanNode.IdLookup node, StepContext context) {
    super(stats, context);
    this.collection = context.collection();
    this.id = node.id();
    this.reader = new IdReader(collection);
    this.owned = context.ownedKeys();
    collection.idIndex().used();
  }

  @Override
  Outcome step() {
    if (done) {
      return Outcome.END;
    }
    done = true;
    byte[] key = collection.idIndex().keyOf(id);
    stats.keysExamined++;
    if (!reader.read(key, view())) {
      return Outcome.END;
    }
    stats.documentsExamined++;
    return owned == null || owned.has(reader.document()) ? Outcome.ADVANCED : Outcome.END;
  }

  @Override
  public long recordId() {
    return reader.recordId();
  }

  @Override
  public RawDocument document() {
    return reader.document();
  }

  /** The entries of an {@code _id} index do not tell the types of numbers; the document does. */
  static RawDocument idOf(RawDocument document) {
    return new BsonBuilder().append("_id", document.get("_id")).toDocument();
  }

  @Override
  public RawDocument keyDocument() {
    return idOf(reader.document());
  }
}
