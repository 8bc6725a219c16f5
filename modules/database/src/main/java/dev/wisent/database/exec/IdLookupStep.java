package dev.wisent.database.exec;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.database.OperationContext;
import dev.wisent.database.collection.Collection;
import dev.wisent.database.collection.Index;
import dev.wisent.database.collection.RecordCache;
import dev.wisent.database.plan.PlanNode;
import dev.wisent.database.plan.StageStats;
import dev.wisent.storage.Keyspace;
import dev.wisent.storage.ReadView;
import dev.wisent.storage.RecordKeys;
import java.util.function.Consumer;

/** The one record with a given {@code _id}: two point reads, or none where the cache has it. */
public final class IdLookupStep extends Step {
  private final Collection collection;
  private final RawValue id;
  private ReadView view;
  private boolean done;
  private long recordId;
  private RawDocument document;

  IdLookupStep(StageStats stats, PlanNode.IdLookup node, StepContext context) {
    super(stats);
    this.collection = context.collection();
    this.id = node.id();
    this.view = context.view();
    collection.idIndex().used();
  }

  /** The record id under a key of an {@code _id} index; -1 if there is none. */
  public static long find(byte[] key, ReadView view) {
    byte[] value = new byte[RecordKeys.RECORD_ID_BYTES];
    return view.get(Keyspace.INDEX, key, key.length, value) < 0
        ? -1
        : RecordKeys.recordId(value, 0);
  }

  @Override
  Outcome step() {
    if (done) {
      return Outcome.END;
    }
    done = true;
    byte[] key = collection.idIndex().keyOf(id);
    stats.keysExamined++;
    if (!read(key)) {
      return Outcome.END;
    }
    stats.documentsExamined++;
    return Outcome.ADVANCED;
  }

  private boolean read(byte[] key) {
    RecordCache cache = collection.recordCache();
    var reader = new RecordReader(collection);
    recordId = cache.findId(key);
    if (recordId >= 0) {
      document = reader.read(view, recordId);
      if (document != null) {
        return true;
      }
    }
    recordId = find(key, view);
    if (recordId < 0) {
      return false;
    }
    document = reader.read(view, recordId);
    cache.keepId(key, recordId);
    return document != null;
  }

  @Override
  public long recordId() {
    return recordId;
  }

  @Override
  public RawDocument document() {
    return document;
  }

  /** The entries of an {@code _id} index do not tell the types of numbers; the document does. */
  static RawDocument idOf(RawDocument document) {
    return new BsonBuilder().append("_id", document.get("_id")).toDocument();
  }

  @Override
  public RawDocument keyDocument() {
    return idOf(document);
  }

  @Override
  void forEachIndex(Consumer<Index> action) {}

  @Override
  void suspendStep() {
    view = null;
  }

  @Override
  void resume(ReadView newer, OperationContext under) {
    view = newer;
  }

  @Override
  public void close() {}
}
