package dev.wisent.query.metadata;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The metadata of a document on its way through a plan or a pipeline: fields in front of all
 * others. The first field of a stored document is {@code _id}, and no sort or projection can name
 * these, so they are not taken for the user's. They go wherever the document goes, also into the
 * files of a sort.
 */
public final class Metadata {
  private static final byte[] PREFIX = MetaType.PREFIX.getBytes(StandardCharsets.US_ASCII);

  private Metadata() {}

  /** What a document carries; null if it does not carry that. */
  public static RawValue of(RawDocument document, MetaType type) {
    ElementCursor fields = document.elements();
    while (fields.next() && isMetadata(fields)) {
      if (fields.nameEquals(type.fieldBytes())) {
        return fields.value();
      }
    }
    return null;
  }

  /** Whether a document carries any. */
  public static boolean isOn(RawDocument document) {
    ElementCursor fields = document.elements();
    return fields.next() && isMetadata(fields);
  }

  /** The document without what it may carry. */
  public static RawDocument remove(RawDocument document) {
    if (!isOn(document)) {
      return document;
    }
    var out = new BsonBuilder(document.length());
    appendRest(document, out);
    return out.toDocument();
  }

  /** Appends the fields that are not metadata. */
  static void appendRest(RawDocument document, BsonBuilder out) {
    ElementCursor fields = document.elements();
    while (fields.next()) {
      if (!isMetadata(fields)) {
        int from = fields.elementOffset();
        int to = document.offset() + document.length() - 1;
        // A document of exactly these elements, if one looks at them only.
        out.appendAll(new RawDocument(fields.bytes(), from - 4, to - from + 5));
        return;
      }
    }
  }

  /** Appends what a document carries. */
  static void append(RawDocument carrier, BsonBuilder out) {
    ElementCursor fields = carrier.elements();
    while (fields.next() && isMetadata(fields)) {
      out.appendElement(fields);
    }
  }

  private static boolean isMetadata(ElementCursor field) {
    int from = field.nameOffset();
    return field.nameLength() > PREFIX.length
        && Arrays.equals(field.bytes(), from, from + PREFIX.length, PREFIX, 0, PREFIX.length);
  }
}
