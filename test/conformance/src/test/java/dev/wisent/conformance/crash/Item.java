package dev.wisent.conformance.crash;

import java.util.ArrayList;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * A document of the {@code items} collection. Every field but the payload is indexed.
 *
 * @param id unique for all time, so that a document that comes back from the dead is noticed
 * @param writer the one writer of the document
 * @param key unique among all documents
 */
record Item(
    String id, int writer, int group, long n, String key, List<Integer> tags, String payload) {

  Item {
    tags = List.copyOf(tags);
  }

  Item withN(long value) {
    return new Item(id, writer, group, value, key, tags, payload);
  }

  Item withGroup(int value) {
    return new Item(id, writer, value, n, key, tags, payload);
  }

  Item withTag(int tag) {
    List<Integer> more = new ArrayList<>(tags);
    more.add(tag);
    return new Item(id, writer, group, n, key, more, payload);
  }

  Item withoutTag(int tag) {
    return new Item(
        id, writer, group, n, key, tags.stream().filter(t -> t != tag).toList(), payload);
  }

  BsonDocument toDocument() {
    return new BsonDocument("_id", new BsonString(id))
        .append("writer", new BsonInt32(writer))
        .append("group", new BsonInt32(group))
        .append("n", new BsonInt64(n))
        .append("key", new BsonString(key))
        .append("tags", new BsonArray(tags.stream().map(BsonInt32::new).toList()))
        .append("payload", new BsonString(payload));
  }

  /** For failure messages: a payload is one letter many times, and may be long. */
  @Override
  public String toString() {
    String shown =
        payload.isEmpty() ? "empty" : payload.length() + " times '" + payload.charAt(0) + "'";
    return "Item[id=%s, writer=%d, group=%d, n=%d, key=%s, tags=%s, payload=%s]"
        .formatted(id, writer, group, n, key, tags, shown);
  }

  /** Strict about fields and types: a document that was never sent must not look like one. */
  static Item parse(BsonDocument document) {
    if (document.size() != 7) {
      throw new AssertionError("not a document of this test: " + document.toJson());
    }
    return new Item(
        document.getString("_id").getValue(),
        document.getInt32("writer").getValue(),
        document.getInt32("group").getValue(),
        document.getInt64("n").getValue(),
        document.getString("key").getValue(),
        document.getArray("tags").stream()
            .map(BsonValue::asInt32)
            .map(BsonInt32::getValue)
            .toList(),
        document.getString("payload").getValue());
  }
}
