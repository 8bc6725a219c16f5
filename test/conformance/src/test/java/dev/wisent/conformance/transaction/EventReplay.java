package dev.wisent.conformance.transaction;

import java.util.HashMap;
import java.util.Map;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonValue;

/** Documents that follow the events of a change stream. */
final class EventReplay {

  private final Map<String, Map<BsonValue, BsonDocument>> documents = new HashMap<>();

  Map<BsonValue, BsonDocument> documents(String namespace) {
    return documents.computeIfAbsent(namespace, name -> new HashMap<>());
  }

  void apply(String namespace, BsonDocument event) {
    Map<BsonValue, BsonDocument> collection = documents(namespace);
    BsonValue id = event.getDocument("documentKey").get("_id");
    String kind = event.getString("operationType").getValue();
    switch (kind) {
      case "insert", "replace" -> collection.put(id, event.getDocument("fullDocument").clone());
      case "delete" -> collection.remove(id);
      case "update" -> update(collection.get(id), event.getDocument("updateDescription"));
      default -> throw new AssertionError("an event that is no change of a document: " + event);
    }
  }

  private static void update(BsonDocument document, BsonDocument description) {
    description
        .getArray("truncatedArrays")
        .forEach(
            each -> {
              BsonDocument truncated = each.asDocument();
              BsonArray array =
                  parent(document, truncated.getString("field").getValue() + ".0").asArray();
              int size = truncated.getInt32("newSize").getValue();
              array.subList(size, array.size()).clear();
            });
    description.getDocument("updatedFields").forEach((path, value) -> set(document, path, value));
    description
        .getArray("removedFields")
        .forEach(
            path -> {
              String text = path.asString().getValue();
              parent(document, text).asDocument().remove(lastName(text));
            });
  }

  private static void set(BsonDocument document, String path, BsonValue value) {
    String name = lastName(path);
    switch (parent(document, path)) {
      case BsonDocument inner -> inner.put(name, value);
      case BsonArray array -> {
        int index = Integer.parseInt(name);
        while (array.size() <= index) {
          array.add(BsonNull.VALUE);
        }
        array.set(index, value);
      }
      case BsonValue other -> throw new AssertionError(path + " is below " + other);
    }
  }

  private static String lastName(String path) {
    return path.substring(path.lastIndexOf('.') + 1);
  }

  /** What holds the last name of a path. */
  private static BsonValue parent(BsonDocument document, String path) {
    String[] names = path.split("\\.");
    BsonValue parent = document;
    for (int i = 0; i < names.length - 1; i++) {
      parent =
          parent.isArray()
              ? parent.asArray().get(Integer.parseInt(names[i]))
              : parent.asDocument().get(names[i]);
    }
    return parent;
  }
}
