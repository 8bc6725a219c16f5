package dev.wisent.database.exec;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Makes a document from the fields of an index key: {@code {"a.b": 1, "a.c": 2}} becomes {@code {a:
 * {b: 1, c: 2}}}. To filters, sorts and projections it looks like the document of the key.
 */
final class NestedFields {
  private NestedFields() {}

  static RawDocument of(RawDocument key) {
    ElementCursor fields = key.elements();
    while (fields.next()) {
      if (isDotted(fields)) {
        return nest(key);
      }
    }
    return key;
  }

  private static boolean isDotted(ElementCursor field) {
    byte[] bytes = field.bytes();
    for (int i = field.nameOffset(); i < field.nameOffset() + field.nameLength(); i++) {
      if (bytes[i] == '.') {
        return true;
      }
    }
    return false;
  }

  private static RawDocument nest(RawDocument key) {
    var tree = new LinkedHashMap<String, Object>();
    ElementCursor fields = key.elements();
    while (fields.next()) {
      put(tree, fields.name(), fields.value());
    }
    var document = new BsonBuilder(key.length());
    append(tree, document);
    return document.toDocument();
  }

  /** A path through another indexed field (a and a.b) says nothing that the other does not. */
  @SuppressWarnings("unchecked")
  private static void put(Map<String, Object> tree, String path, RawValue value) {
    int dot = path.indexOf('.');
    if (dot < 0) {
      tree.put(path, value);
      return;
    }
    Object inner = tree.computeIfAbsent(path.substring(0, dot), name -> new LinkedHashMap<>());
    if (inner instanceof Map) {
      put((Map<String, Object>) inner, path.substring(dot + 1), value);
    }
  }

  @SuppressWarnings("unchecked")
  private static void append(Map<String, Object> tree, BsonBuilder out) {
    tree.forEach(
        (name, value) -> {
          if (value instanceof RawValue leaf) {
            out.append(name, leaf);
          } else {
            out.startDocument(name);
            append((Map<String, Object>) value, out);
            out.end();
          }
        });
  }
}
