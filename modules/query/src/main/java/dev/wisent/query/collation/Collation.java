package dev.wisent.query.collation;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueOrder;
import java.util.Objects;

/**
 * How strings compare, also those inside documents and arrays. Null is the simple collation: the
 * order of their bytes, as {@link ValueOrder} has it.
 *
 * <p>Every string has a key, bytes in whose order the strings are. {@link #key} puts keys in the
 * place of strings, and then {@link ValueOrder} and the encoding of index keys know nothing of
 * collations: indexes and bounds hold such values. Symbols are strings here; code and the names of
 * fields are not affected.
 */
public final class Collation {
  private final CollationSpec spec;
  private final TextCollator texts;
  private final RawDocument document;

  Collation(CollationSpec spec, TextCollator texts) {
    this.spec = spec;
    this.texts = texts;
    this.document = spec.toDocument();
  }

  /** From a document as clients write it; null for {@code {locale: "simple"}}. */
  public static Collation parse(RawDocument document) {
    return parse(document, "collation");
  }

  /**
   * @param path what errors call the document
   */
  public static Collation parse(RawDocument document, String path) {
    return CollationParser.parse(document, path);
  }

  /** From the options of a collection or an index; null where they have none. */
  public static Collation ofOptions(RawDocument options) {
    RawValue stored = options.get("collation");
    return stored == null ? null : parse(stored.asDocument());
  }

  /** Whether values of this type compare otherwise than by their bytes. */
  public static boolean affects(byte type) {
    return type == ElementType.STRING
        || type == ElementType.SYMBOL
        || type == ElementType.DOCUMENT
        || type == ElementType.ARRAY;
  }

  /** Whether two are the same; null is the simple one. */
  public static boolean same(Collation a, Collation b) {
    return Objects.equals(a, b);
  }

  /** Compares under a collation, or by bytes without one. */
  public static int compare(Collation collation, RawValue a, RawValue b) {
    return collation == null ? ValueOrder.compare(a, b) : collation.compare(a, b);
  }

  /** Equality under a collation, or by bytes without one. */
  public static boolean equal(Collation collation, RawValue a, RawValue b) {
    return collation == null ? ValueOrder.equal(a, b) : collation.compare(a, b) == 0;
  }

  /** What stands for a value among keys, which is the value itself without a collation. */
  public static RawValue key(Collation collation, RawValue value) {
    return collation == null ? value : collation.key(value);
  }

  /** The whole collation, as listCollections and listIndexes show it. */
  public RawDocument document() {
    return document;
  }

  /** By keys and nothing else: what ICU says of two strings differs from their keys at times. */
  public int compare(RawValue a, RawValue b) {
    return affects(a.type()) && affects(b.type())
        ? ValueOrder.compare(key(a), key(b))
        : ValueOrder.compare(a, b);
  }

  /** The value with keys in the place of strings. Only good for being compared with others. */
  public RawValue key(RawValue value) {
    return switch (value.type()) {
      case ElementType.STRING, ElementType.SYMBOL -> texts.key(value.type(), value.asString());
      case ElementType.DOCUMENT -> RawValue.ofDocument(keys(value));
      case ElementType.ARRAY -> RawValue.ofArray(keys(value));
      default -> value;
    };
  }

  private RawDocument keys(RawValue container) {
    var out = new BsonBuilder(2 * container.length());
    ElementCursor elements = container.elements();
    while (elements.next()) {
      if (affects(elements.type())) {
        out.appendUnderNameOf(elements, key(elements.value()));
      } else {
        out.appendElement(elements);
      }
    }
    return out.toDocument();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Collation that && spec.equals(that.spec);
  }

  @Override
  public int hashCode() {
    return spec.hashCode();
  }

  @Override
  public String toString() {
    return document.toString();
  }
}
