package dev.wisent.query.collation;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import java.util.HexFormat;

/** The keys of strings as people see them: they are bytes, and no strings that could be sent. */
public final class CollationKeys {
  private static final HexFormat HEX = HexFormat.of();

  private CollationKeys() {}

  /** The values of an index key, with keys of strings as {@code "0x2927"}. */
  public static RawDocument shown(RawDocument key, Collation collation) {
    return collation == null ? key : shown(key);
  }

  /** A value of an index key, with keys of strings as {@code "0x2927"}. */
  public static RawValue shown(RawValue key) {
    return switch (key.type()) {
      case ElementType.STRING, ElementType.SYMBOL -> RawValue.ofString("0x" + hex(key));
      case ElementType.DOCUMENT -> RawValue.ofDocument(shown(key.asDocument()));
      case ElementType.ARRAY -> RawValue.ofArray(shown(key.asDocument()));
      default -> key;
    };
  }

  private static RawDocument shown(RawDocument container) {
    var out = new BsonBuilder(2 * container.length());
    ElementCursor values = container.elements();
    while (values.next()) {
      out.appendUnderNameOf(values, shown(values.value()));
    }
    return out.toDocument();
  }

  /** The bytes of the key of a string. */
  public static String hex(RawValue key) {
    int from = key.offset() + Integer.BYTES;
    return HEX.formatHex(key.bytes(), from, key.offset() + key.length() - 1);
  }
}
