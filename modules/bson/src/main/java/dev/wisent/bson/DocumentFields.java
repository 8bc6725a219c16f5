package dev.wisent.bson;

import java.util.ArrayList;
import java.util.List;

/** Reads and changes single fields of small documents, such as those of metadata. */
public final class DocumentFields {
  private DocumentFields() {}

  /** Null where the field is missing or no string. */
  public static String text(RawDocument document, String field) {
    RawValue value = document.get(field);
    return value != null && value.isString() ? value.asString() : null;
  }

  public static boolean isTrue(RawDocument document, String field) {
    RawValue value = document.get(field);
    return value != null && value.isTruthy();
  }

  /** Zero where the field is missing or no number. */
  public static long number(RawDocument document, String field) {
    RawValue value = document.get(field);
    return value != null && value.isNumber() ? value.toLong() : 0;
  }

  /** Empty where the field is missing or no document. */
  public static RawDocument document(RawDocument document, String field) {
    RawValue value = document.get(field);
    return value != null && value.isDocument() ? value.asDocument() : RawDocument.EMPTY;
  }

  /** The documents of an array; none where it is missing. */
  public static List<RawDocument> documents(RawDocument document, String field) {
    var found = new ArrayList<RawDocument>();
    for (RawValue each : values(document, field)) {
      found.add(each.asDocument());
    }
    return found;
  }

  /** The strings of an array; none where it is missing. */
  public static List<String> texts(RawDocument document, String field) {
    return values(document, field).stream().map(RawValue::asString).toList();
  }

  private static List<RawValue> values(RawDocument document, String field) {
    var found = new ArrayList<RawValue>();
    RawValue array = document.get(field);
    if (array != null && array.isArray()) {
      ElementCursor each = array.elements();
      while (each.next()) {
        found.add(each.value());
      }
    }
    return found;
  }

  /** The document with another value of a field, at its place or at the end. */
  public static RawDocument with(RawDocument document, String field, RawValue value) {
    var out = new BsonBuilder(document.length() + value.length() + 16);
    boolean found = false;
    ElementCursor fields = document.elements();
    while (fields.next()) {
      if (fields.name().equals(field)) {
        out.append(field, value);
        found = true;
      } else {
        out.appendElement(fields);
      }
    }
    if (!found) {
      out.append(field, value);
    }
    return out.toDocument();
  }

  public static RawDocument without(RawDocument document, String field) {
    var out = new BsonBuilder(document.length());
    ElementCursor fields = document.elements();
    while (fields.next()) {
      if (!fields.name().equals(field)) {
        out.appendElement(fields);
      }
    }
    return out.toDocument();
  }

  /** All fields of both; those of the second win. */
  public static RawDocument merged(RawDocument first, RawDocument second) {
    RawDocument result = first;
    ElementCursor fields = second.elements();
    while (fields.next()) {
      result = with(result, fields.name(), fields.value());
    }
    return result;
  }

  public static RawValue arrayOf(List<RawDocument> documents) {
    var out = new BsonBuilder();
    for (int i = 0; i < documents.size(); i++) {
      out.appendDocument(i, documents.get(i));
    }
    return RawValue.ofArray(out.toDocument());
  }

  public static RawValue arrayOfTexts(List<String> texts) {
    var out = new BsonBuilder();
    for (int i = 0; i < texts.size(); i++) {
      out.append(i, RawValue.ofString(texts.get(i)));
    }
    return RawValue.ofArray(out.toDocument());
  }

  /** A filter for one value of {@code _id}. */
  public static RawDocument byId(RawValue id) {
    return new BsonBuilder().append("_id", id).toDocument();
  }

  public static RawDocument byId(String id) {
    return byId(RawValue.ofString(id));
  }
}
