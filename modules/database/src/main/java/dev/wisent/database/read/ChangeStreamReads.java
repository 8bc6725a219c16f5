package dev.wisent.database.read;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.changestream.ChangeStreams;
import dev.wisent.database.changestream.SharedTail;
import dev.wisent.database.collection.Catalog;
import dev.wisent.database.collection.Collection;
import dev.wisent.database.collection.PreImages;
import dev.wisent.operation.AggregateRequest;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.ResultCursor;
import dev.wisent.storage.ReadView;
import java.util.UUID;

/** Gives change streams what they read of the store. Thread-safe. */
final class ChangeStreamReads {
  private final Catalog catalog;
  private final CollectionReads reads;
  private final ChangeStreams streams;

  ChangeStreamReads(Catalog catalog, ReadView newest, CollectionReads reads) {
    this.catalog = catalog;
    this.reads = reads;
    this.streams =
        catalog.oplog() == null
            ? null
            : new ChangeStreams(
                catalog.oplog()::newest,
                new SharedTail(catalog.oplog()::tail, catalog.oplog()::newest, catalog.oplog()),
                this::current,
                (uuid, time, position) -> PreImages.find(catalog, newest, uuid, time, position),
                reads::over);
  }

  ResultCursor open(OperationContext operation, AggregateRequest request) {
    if (streams == null) {
      ChangeStreams.checkNamespace(request);
      throw new CommandException(
          ErrorCode.CHANGE_STREAM_ON_STANDALONE,
          "The $changeStream stage is only supported on replica sets");
    }
    return streams.open(operation, request);
  }

  private RawDocument current(
      Namespace namespace, UUID uuid, RawDocument key, OperationContext operation) {
    Collection collection = catalog.find(namespace);
    if (collection == null || !collection.definition().uuid().equals(uuid)) {
      return null;
    }
    var id = new BsonBuilder();
    id.startDocument("_id").append("$eq", key.get("_id")).end();
    try (ResultCursor found = reads.find(operation, FindRequest.of(namespace, id.toDocument()))) {
      RawDocument document = found.peek();
      return document == null ? null : document.detached();
    }
  }
}
