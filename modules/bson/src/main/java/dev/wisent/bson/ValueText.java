package dev.wisent.bson;

import java.util.HexFormat;

/** Values as MongoDB prints them in its error messages: {@code { a: 1, b: "x" }}. */
public final class ValueText {
  private ValueText() {}

  public static String of(RawDocument document) {
    var out = new StringBuilder();
    appendElements(out, document.elements(), true);
    return out.toString();
  }

  public static String of(RawValue value) {
    var out = new StringBuilder();
    append(out, value);
    return out.toString();
  }

  private static void appendElements(StringBuilder out, ElementCursor elements, boolean named) {
    char open = named ? '{' : '[';
    char close = named ? '}' : ']';
    out.append(open);
    boolean first = true;
    while (elements.next()) {
      out.append(first ? " " : ", ");
      first = false;
      if (named) {
        out.append(elements.name()).append(": ");
      }
      append(out, elements.value());
    }
    out.append(first ? "" : " ").append(close);
  }

  private static void append(StringBuilder out, RawValue value) {
    switch (value.type()) {
      case ElementType.DOUBLE -> out.append(number(value.asDouble()));
      case ElementType.STRING, ElementType.SYMBOL ->
          out.append('"').append(value.asString()).append('"');
      case ElementType.DOCUMENT -> appendElements(out, value.elements(), true);
      case ElementType.ARRAY -> appendElements(out, value.elements(), false);
      case ElementType.BINARY -> {
        int start = value.offset() + 5;
        out.append("BinData(").append(value.bytes()[value.offset() + 4] & 0xFF).append(", ");
        out.append(
            HexFormat.of()
                .withUpperCase()
                .formatHex(value.bytes(), start, value.offset() + value.length()));
        out.append(')');
      }
      case ElementType.UNDEFINED -> out.append("undefined");
      case ElementType.OBJECT_ID ->
          out.append("ObjectId('").append(value.asObjectId().toHexString()).append("')");
      case ElementType.BOOLEAN -> out.append(value.asBoolean());
      case ElementType.DATE -> out.append("new Date(").append(value.asInt64()).append(')');
      case ElementType.NULL -> out.append("null");
      case ElementType.REGEX ->
          out.append('/').append(value.regexPattern()).append('/').append(value.regexOptions());
      case ElementType.INT32 -> out.append(value.asInt32());
      case ElementType.INT64 -> out.append(value.asInt64());
      case ElementType.TIMESTAMP ->
          out.append("Timestamp(")
              .append(value.asInt64() >>> 32)
              .append(", ")
              .append(value.asInt64() & 0xFFFFFFFFL)
              .append(')');
      case ElementType.DECIMAL128 -> out.append(value.asDecimal128());
      case ElementType.MIN_KEY -> out.append("MinKey");
      case ElementType.MAX_KEY -> out.append("MaxKey");
      case ElementType.CODE -> out.append(value.asString());
      default -> out.append(value.toBsonValue());
    }
  }

  private static String number(double value) {
    if (Double.isNaN(value)) {
      return "nan.0";
    }
    if (Double.isInfinite(value)) {
      return value > 0 ? "inf" : "-inf";
    }
    if (value == Math.rint(value) && Math.abs(value) < 1e15) {
      return (long) value + ".0";
    }
    return Double.toString(value);
  }
}
