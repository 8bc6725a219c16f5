package dev.wisent.query.text;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.path.FieldPath;
import java.nio.charset.StandardCharsets;

/**
 * The score of a document on its way through a plan or a pipeline: a field in front of all others.
 * The first field of a stored document is {@code _id}, and no sort or projection can name this one,
 * so it is not taken for one of the user's.
 */
public final class TextScore {
  public static final String FIELD = "$textScore";

  /** Where a sort finds the score. */
  public static final FieldPath PATH = FieldPath.of(FIELD);

  private static final byte[] NAME = FIELD.getBytes(StandardCharsets.US_ASCII);

  private TextScore() {}

  /** Writes the document with its score; the result is valid until the builder is used again. */
  public static RawDocument add(RawDocument document, double score, BsonBuilder out) {
    out.reset(0);
    out.appendDouble(FIELD, score);
    out.appendAll(document);
    out.end();
    return new RawDocument(out.bytes(), 0, out.position());
  }

  /** The score that a document carries; null if it carries none. */
  public static RawValue of(RawDocument document) {
    ElementCursor fields = document.elements();
    return fields.next() && fields.nameEquals(NAME) ? fields.value() : null;
  }

  /** The document without the score that it may carry. */
  public static RawDocument remove(RawDocument document) {
    ElementCursor fields = document.elements();
    if (!fields.next() || !fields.nameEquals(NAME)) {
      return document;
    }
    var out = new BsonBuilder(document.length());
    while (fields.next()) {
      out.appendElement(fields);
    }
    return out.toDocument();
  }
}
