package dev.wisent.database.changestream;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.Namespace;
import dev.wisent.pipeline.changestream.ChangeStreamStage;
import dev.wisent.pipeline.changestream.ResumeToken;

/** Writes events as clients get them. */
final class EventDocument {
  private static final String TYPE = "operationType";
  private static final String CLUSTER_TIME = "clusterTime";
  private static final String WALL_TIME = "wallTime";

  private final boolean expanded;
  private final boolean rawUpdates;

  EventDocument(ChangeStreamStage stage) {
    this.expanded = stage.showExpandedEvents();
    this.rawUpdates = stage.showRawUpdateDescription();
  }

  /** The part that costs nothing: fields that the whole event has too, with the same values. */
  static RawDocument head(ChangeEvent event) {
    var out = new BsonBuilder();
    out.appendString(TYPE, event.operationType());
    out.appendTimestamp(CLUSTER_TIME, event.change().clusterTime());
    append(WALL_TIME, event.change().wallTime(), out);
    out.appendDocument("ns", namespace(event.namespace()));
    append("documentKey", event.documentKey(), out);
    return out.toDocument();
  }

  /**
   * The whole event.
   *
   * @param fullDocument null for an event without
   * @param before null for an event without
   */
  RawDocument write(ChangeEvent event, RawDocument id, RawValue fullDocument, RawValue before) {
    var out = new BsonBuilder();
    out.appendDocument("_id", id);
    out.appendString(TYPE, event.operationType());
    out.appendTimestamp(CLUSTER_TIME, event.change().clusterTime());
    if (expanded && !event.isOfView()) {
      append("collectionUUID", event.uuidValue(), out);
    }
    append(WALL_TIME, event.change().wallTime(), out);
    if (event.change().isOfClientTransaction()) {
      append("txnNumber", event.change().entry().get("txnNumber"), out);
      append("lsid", event.change().entry().get("lsid"), out);
    }
    append("fullDocument", fullDocument, out);
    out.appendDocument("ns", namespace(event.namespace()));
    if (event.renamedTo() != null) {
      out.appendDocument("to", namespace(event.renamedTo()));
    }
    append("documentKey", event.documentKey(), out);
    if (expanded) {
      append("operationDescription", event.description(), out);
    }
    if (event.update() != null) {
      appendUpdate(event.update(), out);
    }
    append("stateBeforeChange", event.stateBeforeChange(), out);
    if (expanded && event.namespaceType() != null) {
      out.appendString("nsType", event.namespaceType());
    }
    append("fullDocumentBeforeChange", before, out);
    return out.toDocument();
  }

  private void appendUpdate(RawDocument update, BsonBuilder out) {
    if (rawUpdates) {
      out.appendDocument("rawUpdateDescription", update);
    } else {
      RawDocument diff = update.get("diff").asDocument();
      out.appendDocument("updateDescription", UpdateDescription.of(diff, expanded));
    }
  }

  /** The event that ends a stream, after the one that did it. */
  static RawDocument invalidate(ResumeToken token, ChangeEvent cause) {
    var out = new BsonBuilder();
    out.appendDocument("_id", token.toDocument());
    out.appendString(TYPE, "invalidate");
    out.appendTimestamp(CLUSTER_TIME, cause.change().clusterTime());
    append(WALL_TIME, cause.change().wallTime(), out);
    return out.toDocument();
  }

  static RawDocument namespace(Namespace namespace) {
    var out = new BsonBuilder(64).appendString("db", namespace.database());
    if (!namespace.collection().isEmpty()) {
      out.appendString("coll", namespace.collection());
    }
    return out.toDocument();
  }

  private static void append(String name, RawDocument document, BsonBuilder out) {
    if (document != null) {
      out.appendDocument(name, document);
    }
  }

  private static void append(String name, RawValue value, BsonBuilder out) {
    if (value != null) {
      out.append(name, value);
    }
  }
}
