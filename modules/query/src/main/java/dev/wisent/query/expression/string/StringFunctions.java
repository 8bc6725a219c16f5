package dev.wisent.query.expression.string;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueText;
import dev.wisent.query.expression.ArrayBuilder;
import dev.wisent.query.expression.Values;
import dev.wisent.query.expression.array.SearchRange;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** String expressions that are functions of their arguments' values. */
final class StringFunctions {
  private StringFunctions() {}

  static RawValue concat(RawValue[] strings) {
    var out = new StringBuilder();
    for (RawValue string : strings) {
      if (Values.isNullish(string)) {
        return RawValue.NULL;
      }
      if (!string.isString()) {
        throw new CommandException(
            ErrorCode.CONCAT_NOT_STRING,
            "$concat only supports strings, not " + Values.typeName(string));
      }
      ArrayBuilder.checkSize((long) out.length() + string.length());
      out.append(string.asString());
    }
    return RawValue.ofString(out.toString());
  }

  static RawValue toLower(RawValue value) {
    byte[] bytes = utf8(value);
    for (int i = 0; i < bytes.length; i++) {
      if (bytes[i] >= 'A' && bytes[i] <= 'Z') {
        bytes[i] = (byte) (bytes[i] + ('a' - 'A'));
      }
    }
    return string(bytes, 0, bytes.length);
  }

  /** Only ASCII letters change. */
  static RawValue toUpper(RawValue value) {
    byte[] bytes = upper(value);
    return string(bytes, 0, bytes.length);
  }

  private static byte[] upper(RawValue value) {
    byte[] bytes = utf8(value);
    for (int i = 0; i < bytes.length; i++) {
      if (bytes[i] >= 'a' && bytes[i] <= 'z') {
        bytes[i] = (byte) (bytes[i] - ('a' - 'A'));
      }
    }
    return bytes;
  }

  static RawValue strcasecmp(RawValue a, RawValue b) {
    return RawValue.ofInt32(Integer.signum(Arrays.compareUnsigned(upper(a), upper(b))));
  }

  static RawValue strLenBytes(RawValue value) {
    if (value == null || !value.isString()) {
      throw new CommandException(
          ErrorCode.STR_LEN_BYTES_TYPE,
          "$strLenBytes requires a string argument, found: " + Values.typeName(value));
    }
    return RawValue.ofInt32(value.length() - 5);
  }

  static RawValue strLenCP(RawValue value) {
    if (value == null || !value.isString()) {
      throw new CommandException(
          ErrorCode.STR_LEN_CP_TYPE,
          "$strLenCP requires a string argument, found: " + Values.typeName(value));
    }
    int count = 0;
    for (int i = value.offset() + 4; i < value.offset() + value.length() - 1; i++) {
      if (!isContinuation(value.bytes()[i])) {
        count++;
      }
    }
    return RawValue.ofInt32(count);
  }

  static RawValue split(RawValue input, RawValue separator) {
    if (Values.isNullish(input) || Values.isNullish(separator)) {
      return RawValue.NULL;
    }
    if (!input.isString()) {
      throw new CommandException(
          ErrorCode.SPLIT_INPUT_TYPE,
          "$split requires an expression that evaluates to a string as a first argument, found: "
              + Values.typeName(input));
    }
    if (!separator.isString()) {
      throw new CommandException(
          ErrorCode.SPLIT_SEPARATOR_TYPE,
          "$split requires an expression that evaluates to a string as a second argument, found: "
              + Values.typeName(separator));
    }
    String text = input.asString();
    String mark = separator.asString();
    if (mark.isEmpty()) {
      throw new CommandException(
          ErrorCode.SPLIT_SEPARATOR_EMPTY, "$split requires a non-empty separator");
    }
    var out = new ArrayBuilder(input.length() * 2);
    int start = 0;
    for (int at = StringSearch.indexOf(text, mark, 0);
        at >= 0;
        at = StringSearch.indexOf(text, mark, start)) {
      out.add(RawValue.ofString(text.substring(start, at)));
      start = at + mark.length();
    }
    return out.add(RawValue.ofString(text.substring(start))).build();
  }

  static RawValue indexOfBytes(RawValue[] arguments) {
    if (Values.isNullish(arguments[0])) {
      return RawValue.NULL;
    }
    byte[] text =
        searched("$indexOfBytes", ErrorCode.INDEX_OF_BYTES_INPUT_TYPE, "first", arguments[0]);
    byte[] token =
        searched("$indexOfBytes", ErrorCode.INDEX_OF_BYTES_TOKEN_TYPE, "second", arguments[1]);
    int start = SearchRange.start("$indexOfBytes", arguments);
    int end = Math.min(SearchRange.end("$indexOfBytes", arguments), text.length);
    int last = end - token.length;
    int at = start > last ? -1 : find(text, token, start);
    return RawValue.ofInt32(at > last ? -1 : at);
  }

  /** The first place of bytes from one on; -1 where there is none. */
  private static int find(byte[] text, byte[] token, int from) {
    return StringSearch.indexOf(
        new String(text, StandardCharsets.ISO_8859_1),
        new String(token, StandardCharsets.ISO_8859_1),
        from);
  }

  private static byte[] searched(String name, ErrorCode code, String which, RawValue value) {
    if (value == null || !value.isString()) {
      throw new CommandException(
          code,
          name
              + " requires a string as the "
              + which
              + " argument, found: "
              + Values.typeName(value));
    }
    return utf8(value);
  }

  static RawValue indexOfCP(RawValue[] arguments) {
    if (Values.isNullish(arguments[0])) {
      return RawValue.NULL;
    }
    byte[] text = searched("$indexOfCP", ErrorCode.INDEX_OF_CP_INPUT_TYPE, "first", arguments[0]);
    byte[] token = searched("$indexOfCP", ErrorCode.INDEX_OF_CP_TOKEN_TYPE, "second", arguments[1]);
    int start = SearchRange.start("$indexOfCP", arguments);
    int end = SearchRange.end("$indexOfCP", arguments);
    if (text.length == 0 && token.length == 0 && start == 0) {
      return RawValue.ofInt32(0);
    }
    int from = 0;
    for (int i = 0; i < start && from < text.length; i++) {
      from = nextCodePoint(text, from);
    }
    int found = from == text.length ? -1 : find(text, token, from);
    int position = start;
    for (int at = from; at < found; at = nextCodePoint(text, at)) {
      position++;
    }
    return RawValue.ofInt32(found < 0 || position >= end ? -1 : position);
  }

  private static int nextCodePoint(byte[] text, int at) {
    int next = at + 1;
    while (next < text.length && isContinuation(text[next])) {
      next++;
    }
    return next;
  }

  static RawValue substrBytes(RawValue[] arguments) {
    byte[] text = utf8(arguments[0]);
    long start = substrNumber(ErrorCode.SUBSTR_START_TYPE, "starting index", arguments[1]);
    long length = substrNumber(ErrorCode.SUBSTR_LENGTH_TYPE, "length", arguments[2]);
    if (start < 0) {
      throw new CommandException(
          ErrorCode.SUBSTR_START_NEGATIVE,
          "$substrBytes:  starting index must be non-negative (got: " + start + ")");
    }
    // A negative length means the rest of the string.
    long end = length < 0 || length > text.length - start ? text.length : start + length;
    if (start < text.length && isContinuation(text[(int) start])) {
      throw new CommandException(
          ErrorCode.SUBSTR_START_INSIDE,
          "$substrBytes:  Invalid range, starting index is a UTF-8 continuation byte.");
    }
    if (start < text.length && end < text.length && isContinuation(text[(int) end])) {
      throw new CommandException(
          ErrorCode.SUBSTR_END_INSIDE,
          "$substrBytes:  Invalid range, ending index is in the middle of a UTF-8 character.");
    }
    return start >= text.length ? RawValue.ofString("") : string(text, (int) start, (int) end);
  }

  private static long substrNumber(ErrorCode code, String what, RawValue value) {
    if (value == null || !value.isNumber()) {
      throw new CommandException(
          code,
          "$substrBytes:  "
              + what
              + " must be a numeric type (is BSON type "
              + Values.typeName(value)
              + ")");
    }
    return value.toLong();
  }

  static RawValue substrCP(RawValue[] arguments) {
    byte[] text = utf8(arguments[0]);
    int start =
        codePoints(
            ErrorCode.SUBSTR_CP_START_TYPE,
            ErrorCode.SUBSTR_CP_START_RANGE,
            "starting index",
            arguments[1]);
    int length =
        codePoints(
            ErrorCode.SUBSTR_CP_LENGTH_TYPE,
            ErrorCode.SUBSTR_CP_LENGTH_RANGE,
            "length",
            arguments[2]);
    if (length < 0) {
      throw new CommandException(
          ErrorCode.SUBSTR_CP_LENGTH_NEGATIVE, "$substrCP: length must be a nonnegative integer.");
    }
    if (start < 0) {
      throw new CommandException(
          ErrorCode.SUBSTR_CP_START_NEGATIVE,
          "$substrCP: the starting index must be nonnegative integer.");
    }
    int from = skip(text, 0, start);
    return string(text, from, skip(text, from, length));
  }

  private static int codePoints(ErrorCode type, ErrorCode range, String what, RawValue value) {
    if (value == null || !value.isNumber()) {
      throw new CommandException(
          type,
          "$substrCP: "
              + what
              + " must be a numeric type (is BSON type "
              + Values.typeName(value)
              + ")");
    }
    if (!Values.isInt32(value)) {
      throw new CommandException(
          range,
          "$substrCP: "
              + what
              + " cannot be represented as a 32-bit integral value: "
              + ValueText.of(value));
    }
    return (int) value.toLong();
  }

  /** Where the character is that comes so many characters later. */
  private static int skip(byte[] text, int from, int characters) {
    int at = from;
    for (int left = characters; left > 0 && at < text.length; left--) {
      at++;
      while (at < text.length && isContinuation(text[at])) {
        at++;
      }
    }
    return at;
  }

  private static boolean isContinuation(byte b) {
    return (b & 0xC0) == 0x80;
  }

  private static byte[] utf8(RawValue value) {
    return value != null && value.isString()
        ? Arrays.copyOfRange(value.bytes(), value.offset() + 4, value.offset() + value.length() - 1)
        : StringCoercion.of(value).getBytes(StandardCharsets.UTF_8);
  }

  private static RawValue string(byte[] utf8, int from, int to) {
    return RawValue.ofString(new String(utf8, from, to - from, StandardCharsets.UTF_8));
  }
}
