package dev.wisent.tools.text;

import java.io.ByteArrayOutputStream;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Locale;
import java.util.regex.Pattern;
import org.bson.BsonBinary;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDecimal128;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.types.Decimal128;

/** How the texts of a column become values. Immutable. */
@FunctionalInterface
public interface ColumnType {
  /** What looks like a number is one, all else is a string. */
  ColumnType AUTO = Numbers::auto;

  BsonValue parse(String text) throws TextException;

  /**
   * @param argument in the parentheses after the name
   */
  static ColumnType of(String name, String argument) throws TextException {
    ColumnType type =
        switch (name) {
          case "auto" -> AUTO;
          case "binary" -> binary(argument);
          case "boolean" -> ColumnType::bool;
          case "date", "date_go" -> date(DateLayout.go(argument));
          case "date_ms" -> date(DateLayout.net(argument));
          case "date_oracle" -> date(DateLayout.oracle(argument));
          case "decimal" -> ColumnType::decimal;
          case "double" -> text -> new BsonDouble(Numbers.floating(text));
          case "int32" -> ColumnType::int32;
          case "int64" -> ColumnType::int64;
          case "string" -> BsonString::new;
          default -> throw new TextException("there is no type '" + name + "'");
        };
    boolean takesArgument = name.equals("binary") || DateLayout.names().contains(name);
    if (!takesArgument && !argument.isEmpty()) {
      throw new TextException("the type " + name + " has nothing in its parentheses");
    }
    return type;
  }

  private static ColumnType date(DateLayout layout) {
    return text -> new BsonDateTime(layout.millis(text));
  }

  private static ColumnType binary(String encoding) throws TextException {
    return switch (encoding) {
      case "base64" -> text -> decoded(text, Base64.getDecoder()::decode);
      case "base32" -> text -> decoded(text, Base32::decode);
      case "hex" -> text -> decoded(text, HexFormat.of()::parseHex);
      default -> throw new TextException("binary is base64, base32 or hex, not '" + encoding + "'");
    };
  }

  private static BsonBinary decoded(String text, java.util.function.Function<String, byte[]> how)
      throws TextException {
    try {
      return new BsonBinary(how.apply(text));
    } catch (IllegalArgumentException e) {
      throw new TextException("'" + text + "' is no binary value: " + e.getMessage());
    }
  }

  private static BsonValue bool(String text) throws TextException {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "true", "1" -> BsonBoolean.TRUE;
      case "false", "0" -> BsonBoolean.FALSE;
      default -> throw new TextException("'" + text + "' is no boolean");
    };
  }

  private static BsonValue int32(String text) throws TextException {
    try {
      return new BsonInt32(Integer.parseInt(text));
    } catch (NumberFormatException e) {
      throw new TextException("'" + text + "' is no 32-bit integer");
    }
  }

  private static BsonValue int64(String text) throws TextException {
    try {
      return new BsonInt64(Long.parseLong(text));
    } catch (NumberFormatException e) {
      throw new TextException("'" + text + "' is no 64-bit integer");
    }
  }

  private static BsonValue decimal(String text) throws TextException {
    try {
      return new BsonDecimal128(Decimal128.parse(text));
    } catch (NumberFormatException e) {
      throw new TextException("'" + text + "' is no decimal number");
    }
  }

  /** Numbers as texts. */
  final class Numbers {
    private static final Pattern INTEGER = Pattern.compile("[+-]?\\d{1,19}");
    private static final Pattern FLOATING =
        Pattern.compile("[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d+)?");

    private Numbers() {}

    static BsonValue auto(String text) {
      if (INTEGER.matcher(text).matches()) {
        try {
          long number = Long.parseLong(text);
          return number == (int) number ? new BsonInt32((int) number) : new BsonInt64(number);
        } catch (NumberFormatException e) {
          return new BsonDouble(Double.parseDouble(text)); // has nineteen digits and is too large
        }
      }
      try {
        return new BsonDouble(floating(text));
      } catch (TextException e) {
        return new BsonString(text);
      }
    }

    static double floating(String text) throws TextException {
      if (FLOATING.matcher(text).matches()) {
        return Double.parseDouble(text);
      }
      return switch (text.toLowerCase(Locale.ROOT)) {
        case "nan" -> Double.NaN;
        case "inf", "+inf", "infinity", "+infinity" -> Double.POSITIVE_INFINITY;
        case "-inf", "-infinity" -> Double.NEGATIVE_INFINITY;
        default -> throw new TextException("'" + text + "' is no number");
      };
    }
  }

  /** RFC 4648, which the JDK lacks. */
  final class Base32 {
    private static final String DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

    private Base32() {}

    static byte[] decode(String text) {
      var bytes = new ByteArrayOutputStream();
      int bits = 0;
      int count = 0;
      for (char c : text.replaceFirst("=+$", "").toCharArray()) {
        int digit = DIGITS.indexOf(c);
        if (digit < 0) {
          throw new IllegalArgumentException("'" + c + "' is not in base32");
        }
        bits = bits << 5 | digit;
        count += 5;
        if (count >= 8) {
          count -= 8;
          bytes.write(bits >>> count & 0xff);
        }
      }
      return bytes.toByteArray();
    }
  }
}
