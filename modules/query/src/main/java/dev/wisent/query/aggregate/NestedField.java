package dev.wisent.query.aggregate;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.path.FieldPath;

/** Writes one field into a document, and the documents on the way to it. */
final class NestedField {
  private NestedField() {}

  /** What is on the way and no document makes room for one. */
  static RawDocument set(RawDocument document, FieldPath path, RawValue value) {
    var out = new BsonBuilder(document.length() + value.length() + path.dotted().length());
    append(document, path, 0, value, out);
    return out.toDocument();
  }

  private static void append(
      RawDocument document, FieldPath path, int part, RawValue value, BsonBuilder out) {
    boolean found = false;
    ElementCursor fields = document.elements();
    while (fields.next()) {
      if (found || !fields.nameEquals(path.part(part))) {
        out.appendElement(fields);
      } else {
        found = true;
        boolean inside = fields.type() == ElementType.DOCUMENT;
        appendPart(
            inside ? fields.value().asDocument() : RawDocument.EMPTY, path, part, value, out);
      }
    }
    if (!found) {
      appendPart(RawDocument.EMPTY, path, part, value, out);
    }
  }

  private static void appendPart(
      RawDocument below, FieldPath path, int part, RawValue value, BsonBuilder out) {
    if (part == path.length() - 1) {
      out.append(path.part(part), value);
    } else {
      out.startDocument(path.name(part));
      append(below, path, part + 1, value, out);
      out.end();
    }
  }
}
