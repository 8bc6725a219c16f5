package dev.wisent.pipeline;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.path.FieldPath;

/** Writes one field into a document, and the documents on the way to it. */
public final class NestedField {
  private NestedField() {}

  /** Writes a field, or nothing to leave it out. */
  @FunctionalInterface
  public interface Writer {
    void append(byte[] utf8Name, BsonBuilder out);
  }

  /** What is on the way and no document makes room for one. */
  public static RawDocument set(RawDocument document, FieldPath path, RawValue value) {
    var out = new BsonBuilder(document.length() + value.length() + path.dotted().length());
    append(document, path, 0, (name, to) -> to.append(name, value), out);
    return out.toDocument();
  }

  /** Adds the fields of a document with one written anew to the document that is open. */
  public static void append(RawDocument document, FieldPath path, Writer value, BsonBuilder out) {
    append(document, path, 0, value, out);
  }

  private static void append(
      RawDocument document, FieldPath path, int part, Writer value, BsonBuilder out) {
    if (document.get(path.part(part)) == null) {
      out.appendAll(document);
      appendPart(RawDocument.EMPTY, path, part, value, out);
      return;
    }
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
  }

  private static void appendPart(
      RawDocument below, FieldPath path, int part, Writer value, BsonBuilder out) {
    if (part == path.length() - 1) {
      value.append(path.part(part), out);
    } else {
      out.startDocument(path.name(part));
      append(below, path, part + 1, value, out);
      out.end();
    }
  }
}
