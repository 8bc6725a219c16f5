package dev.wisent.bson;

import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * Values as MongoDB prints them in its error messages and in the bounds of explain: {@code { a: 1,
 * b: "x" }}. Long strings, code and binaries are cut, and what is nested deeply is left out.
 */
public final class ValueText {
  private static final int STRING_BYTES_MAX = 159;
  private static final int CODE_BYTES_MAX = 79;
  private static final int BINARY_BYTES_MAX = 80;
  private static final int DEPTH_MAX = 100;
  private static final int CUT_AT = 70;
  private static final int DOUBLE_DIGITS = 16;

  private ValueText() {}

  public static String of(RawDocument document) {
    var out = new StringBuilder();
    appendElements(out, document.elements(), true, 0);
    return out.toString();
  }

  public static String of(RawValue value) {
    var out = new StringBuilder();
    append(out, value, 0);
    return out.toString();
  }

  private static void appendElements(
      StringBuilder out, ElementCursor elements, boolean named, int depth) {
    if (depth > DEPTH_MAX) {
      out.append("...");
      return;
    }
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
      append(out, elements.value(), depth);
    }
    out.append(first ? "" : " ").append(close);
  }

  private static void append(StringBuilder out, RawValue value, int depth) {
    switch (value.type()) {
      case ElementType.DOUBLE -> out.append(number(value.asDouble()));
      case ElementType.STRING ->
          out.append('"').append(cut(value.asString(), STRING_BYTES_MAX)).append('"');
      case ElementType.SYMBOL ->
          out.append('"').append(cut(value.asString(), CODE_BYTES_MAX)).append('"');
      case ElementType.DOCUMENT -> appendElements(out, value.elements(), true, depth + 1);
      case ElementType.ARRAY -> appendElements(out, value.elements(), false, depth + 1);
      case ElementType.BINARY -> {
        int start = value.offset() + 5;
        int length = value.length() - 5;
        boolean cut = length > BINARY_BYTES_MAX;
        out.append("BinData(").append(value.binarySubtype()).append(", ");
        out.append(
            HexFormat.of()
                .withUpperCase()
                .formatHex(value.bytes(), start, start + (cut ? CUT_AT : length)));
        out.append(cut ? "...)" : ")");
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
      case ElementType.CODE -> out.append(cut(value.asString(), CODE_BYTES_MAX));
      default -> out.append(value.toBsonValue());
    }
  }

  /** MongoDB counts bytes; a character that would be cut in two is left out. */
  private static String cut(String text, int bytesMax) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    if (bytes.length <= bytesMax) {
      return text;
    }
    int end = CUT_AT;
    while ((bytes[end] & 0xC0) == 0x80) {
      end--;
    }
    return new String(bytes, 0, end, StandardCharsets.UTF_8) + "...";
  }

  /** Sixteen digits at most, and always something that tells it from a whole number. */
  private static String number(double value) {
    String text;
    if (Double.isNaN(value)) {
      text = "nan";
    } else if (Double.isInfinite(value)) {
      text = value > 0 ? "inf" : "-inf";
    } else if (value == 0) {
      text = 1 / value < 0 ? "-0" : "0";
    } else {
      text = finite(value);
    }
    return text.indexOf('.') < 0 ? text + ".0" : text;
  }

  /** As C's {@code %.16g}. */
  private static String finite(double value) {
    BigDecimal rounded = new BigDecimal(value).round(new MathContext(DOUBLE_DIGITS));
    int exponent = rounded.precision() - rounded.scale() - 1;
    BigDecimal digits = rounded.stripTrailingZeros();
    if (exponent >= -4 && exponent < DOUBLE_DIGITS) {
      return digits.toPlainString();
    }
    String mantissa = digits.scaleByPowerOfTen(-exponent).toPlainString();
    String sign = exponent < 0 ? "-" : "+";
    String power = Integer.toString(Math.abs(exponent));
    return mantissa + "e" + sign + (power.length() < 2 ? "0" : "") + power;
  }
}
