package dev.wisent.cluster.shard.migration;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.AggregateRequest;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.Operations;
import dev.wisent.operation.QueryContexts;
import dev.wisent.operation.ResultCursor;
import dev.wisent.pipeline.Pipeline;
import dev.wisent.query.key.KeyPattern;
import dev.wisent.sharding.ChunkRange;
import dev.wisent.sharding.OwnedRanges;
import dev.wisent.sharding.ShardKeyPattern;
import java.util.List;
import java.util.Set;

/**
 * The documents of a range or collection that have changed, from the oplog, by their {@code _id}.
 * What has become of them is looked up afterwards, so that it does not matter how often one is
 * named, nor in which order. For one thread at a time.
 */
public final class ChangedKeys implements AutoCloseable {
  private static final RawDocument STAGES =
      RawDocument.parse(
          "{'0': {$changeStream: {}},"
              + " '1': {$project: {operationType: 1, documentKey: 1, updateDescription: 1}}}");

  /** An entry can be there a moment before streams see it. */
  private static final long LOOK_MILLIS = 1;

  private static final Set<String> OF_DOCUMENTS = Set.of("insert", "update", "replace", "delete");

  /** Null with the range. */
  private final ShardKeyPattern key;

  /** Null where all documents count. */
  private final OwnedRanges range;

  private final boolean nested;
  private final ResultCursor events;

  /** Notes changes from now on. */
  ChangedKeys(
      Operations documents, OwnedRanges owned, ChunkRange range, OperationContext operation) {
    Namespace namespace = owned.namespace();
    this.key = owned.key();
    this.range =
        new OwnedRanges(
            namespace, owned.uuid(), key, owned.unique(), owned.version(), List.of(range));
    this.nested = key.fields().stream().anyMatch(field -> field.path().dotted().contains("."));
    this.events = open(documents, namespace, operation);
  }

  private ChangedKeys(Operations documents, Namespace namespace, OperationContext operation) {
    this.key = null;
    this.range = null;
    this.nested = false;
    this.events = open(documents, namespace, operation);
  }

  /** Notes changes of all documents of a collection from now on. */
  public static ChangedKeys of(
      Operations documents, Namespace namespace, OperationContext operation) {
    return new ChangedKeys(documents, namespace, operation);
  }

  private static ResultCursor open(
      Operations documents, Namespace namespace, OperationContext operation) {
    Pipeline pipeline = Pipeline.parse(STAGES, QueryContexts.of(operation, null));
    ResultCursor events =
        documents.aggregate(operation, new AggregateRequest(namespace, pipeline, null));
    events.detach();
    return events;
  }

  /**
   * Adds the next documents that have changed, as values of {@code _id}, up to a number. There are
   * fewer where all are named that had changed when this was called. What is added is named once
   * only, also where this fails: the caller keeps it until it is sent.
   */
  public void next(OperationContext operation, int count, Set<RawValue> ids) {
    events.attach(operation);
    try {
      // Nothing ahead does not mean that everything was given: a write could be missed for ever.
      long end = events.newestTime();
      read(operation, count, ids);
      while (ids.size() < count && !events.hasGiven(end)) {
        operation.checkNow();
        events.awaitMore(LOOK_MILLIS);
        read(operation, count, ids);
      }
    } finally {
      events.detach();
    }
  }

  private void read(OperationContext operation, int count, Set<RawValue> ids) {
    for (RawDocument event; ids.size() < count && (event = events.peek()) != null; ) {
      operation.checkInterrupt();
      note(event, ids);
      events.take();
    }
  }

  private void note(RawDocument event, Set<RawValue> ids) {
    String kind = event.get("operationType").asString();
    if (!OF_DOCUMENTS.contains(kind)) {
      throw new CommandException(
          ErrorCode.CONFLICTING_OPERATION_IN_PROGRESS,
          "the collection was changed while its documents were copied: " + kind);
    }
    RawDocument documentKey = event.get("documentKey").asDocument();
    if (range == null
        || nested
        || kind.equals("replace")
        || range.owns(documentKey)
        || changesKey(event.get("updateDescription"))) {
      RawDocument copy =
          new BsonBuilder(documentKey.length()).append("_id", documentKey.get("_id")).toDocument();
      ids.add(copy.get("_id"));
    }
  }

  /** An entry has the key before the change. */
  private boolean changesKey(RawValue description) {
    if (description == null || !description.isDocument()) {
      return false;
    }
    RawValue updated = description.asDocument().get("updatedFields");
    RawValue removed = description.asDocument().get("removedFields");
    if (updated != null) {
      for (ElementCursor each = updated.elements(); each.next(); ) {
        if (isOfKey(each.name())) {
          return true;
        }
      }
    }
    if (removed != null) {
      for (ElementCursor each = removed.elements(); each.next(); ) {
        if (isOfKey(each.value().asString())) {
          return true;
        }
      }
    }
    return false;
  }

  private boolean isOfKey(String path) {
    for (KeyPattern.Field field : key.fields()) {
      String name = field.path().dotted();
      if (path.equals(name) || path.startsWith(name + ".")) {
        return true;
      }
    }
    return false;
  }

  /** Whether a document belongs to the range. */
  boolean isInRange(RawDocument document) {
    return range.owns(document);
  }

  @Override
  public void close() {
    events.close();
  }
}
