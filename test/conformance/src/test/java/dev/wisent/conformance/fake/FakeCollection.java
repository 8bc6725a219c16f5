package dev.wisent.conformance.fake;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.DuplicateKeyException;
import dev.wisent.operation.Namespace;
import dev.wisent.query.collation.Collation;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Documents in the order of their insertion. Guarded by the lock of its {@link FakeStore}. */
final class FakeCollection {
  private static final RawDocument ID_KEY = new BsonBuilder().appendInt32("_id", 1).toDocument();

  final UUID uuid;
  final RawDocument options;
  final Collation collation;
  final List<RawDocument> indexes = new ArrayList<>();
  final List<RawDocument> documents = new ArrayList<>();

  /**
   * @param uuid null for a new one
   */
  FakeCollection(UUID uuid, RawDocument options) {
    this.uuid = uuid == null ? UUID.randomUUID() : uuid;
    this.options = copy(options);
    this.collation = Collation.ofOptions(options);
    indexes.add(
        new BsonBuilder()
            .appendInt32("v", 2)
            .appendDocument("key", ID_KEY)
            .appendString("name", "_id_")
            .toDocument());
  }

  /** Adds a document; the name is for the error if there is one with the same {@code _id}. */
  void insert(Namespace namespace, RawDocument document) {
    RawValue id = document.get("_id");
    for (RawDocument present : documents) {
      if (Collation.equal(collation, present.get("_id"), id)) {
        throw new DuplicateKeyException(
            namespace,
            "_id_",
            ID_KEY,
            new BsonBuilder().append("_id", Collation.key(collation, id)).toDocument(),
            collation);
      }
    }
    documents.add(copy(document));
  }

  void replace(RawDocument present, RawDocument by) {
    documents.set(position(present), copy(by));
  }

  void remove(RawDocument present) {
    documents.remove(position(present));
  }

  /** By identity: equality would compare all bytes. */
  private int position(RawDocument present) {
    for (int i = 0; i < documents.size(); i++) {
      if (documents.get(i) == present) {
        return i;
      }
    }
    throw new IllegalStateException("the document is not in the collection");
  }

  static RawDocument copy(RawDocument document) {
    return RawDocument.of(document.toByteArray());
  }
}
