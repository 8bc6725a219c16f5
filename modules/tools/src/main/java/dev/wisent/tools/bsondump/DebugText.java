package dev.wisent.tools.bsondump;

import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.ByteBuf;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;

/** Sizes and numbers of types, as {@code bsondump --type debug} shows them. */
final class DebugText {
  private DebugText() {}

  static String of(RawBsonDocument document) {
    var text = new StringBuilder();
    append(document.decode(new BsonDocumentCodec()), 0, text);
    return text.toString().stripTrailing();
  }

  private static void append(BsonDocument document, int depth, StringBuilder text) {
    String indent = "\t".repeat(depth);
    text.append(indent).append("--- new object ---\n");
    text.append(indent).append("\tsize : ").append(size(document)).append('\n');
    document.forEach((name, value) -> append(name, value, depth, indent, text));
  }

  private static void append(
      String name, BsonValue value, int depth, String indent, StringBuilder text) {
    int size = size(new BsonDocument(name, value)) - size(new BsonDocument());
    text.append(indent).append("\t\t").append(name).append('\n');
    text.append(indent)
        .append("\t\t\ttype: %4d size: %d%n".formatted(value.getBsonType().getValue(), size));
    if (value.isDocument()) {
      append(value.asDocument(), depth + 3, text);
    } else if (value.isArray()) {
      var elements = new BsonDocument();
      for (int i = 0; i < value.asArray().size(); i++) {
        elements.append(String.valueOf(i), value.asArray().get(i));
      }
      append(elements, depth + 3, text);
    }
  }

  private static int size(BsonDocument document) {
    ByteBuf bytes = new RawBsonDocument(document, new BsonDocumentCodec()).getByteBuffer();
    return bytes.remaining();
  }
}
