package dev.wisent.bson;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;

/**
 * Checks in one pass that bytes from outside are a well-formed document, so that everything behind
 * the door may read without checking. It never looks outside the given range.
 *
 * <p>Unlike MongoDB, which lets malformed UTF-8 through on many paths, it refuses such strings and
 * names: they would break clients that read them back.
 */
public final class DocumentValidator {
  private static final long LOW_BITS = 0x0101010101010101L;
  private static final long HIGH_BITS = 0x8080808080808080L;

  /** The four bytes "_id" and zero, read as a little-endian number. */
  private static final int ID_NAME = 0x0064695F;

  private DocumentValidator() {}

  /**
   * @param length bytes of the document, which its own length field must repeat
   * @param depthMax levels of documents and arrays that are allowed, the outermost one counted
   * @throws CommandException INVALID_BSON, or OVERFLOW where it is nested too deeply
   */
  public static void validate(byte[] bytes, int offset, int length, int depthMax) {
    validateAndFindId(bytes, offset, length, depthMax);
  }

  /**
   * As {@link #validate}, and finds the first top-level {@code _id} on the way.
   *
   * @return where its element begins (the type byte, followed by four bytes of name and the value),
   *     or -1 where there is none
   */
  public static int validateAndFindId(byte[] bytes, int offset, int length, int depthMax) {
    if (length < 5) {
      throw invalid("BSON data has to be at least 5 bytes");
    }
    if (LittleEndian.int32(bytes, offset) != length) {
      throw invalid(
          "Incorrect BSON length "
              + LittleEndian.int32(bytes, offset)
              + " of a document of "
              + length
              + " bytes");
    }
    int last = offset + length - 1;
    if (bytes[last] != 0) {
      throw invalid("BSON object not terminated with EOO");
    }
    if (depthMax < 1) {
      throw tooDeep();
    }
    int id = -1;
    int at = offset + 4;
    while (at < last) {
      if (id < 0 && at + 5 <= last && LittleEndian.int32(bytes, at + 1) == ID_NAME) {
        id = at;
      }
      at = element(bytes, at, last, depthMax - 1, offset);
    }
    return id;
  }

  /**
   * Checks one element and returns where the next one begins.
   *
   * @param last where the terminator of the enclosing document stands
   * @param root where the outermost document begins, for messages
   */
  private static int element(byte[] bytes, int at, int last, int depthLeft, int root) {
    byte type = bytes[at];
    int value = nameEnd(bytes, at, last, root) + 1;
    int next;
    switch (type) {
      case ElementType.INT32 -> next = value + 4;
      case ElementType.DOUBLE, ElementType.DATE, ElementType.TIMESTAMP, ElementType.INT64 ->
          next = value + 8;
      case ElementType.OBJECT_ID -> next = value + 12;
      case ElementType.DECIMAL128 -> next = value + 16;
      case ElementType.NULL, ElementType.UNDEFINED, ElementType.MIN_KEY, ElementType.MAX_KEY ->
          next = value;
      case ElementType.STRING, ElementType.SYMBOL, ElementType.CODE ->
          next = string(bytes, value, last, at, root);
      case ElementType.DOCUMENT, ElementType.ARRAY ->
          next = nested(bytes, value, last, depthLeft, at, root);
      case ElementType.BOOLEAN -> next = bool(bytes, value, last, at, root);
      case ElementType.BINARY -> next = binary(bytes, value, last, at, root);
      case ElementType.REGEX ->
          next = cstring(bytes, cstring(bytes, value, last, at, root), last, at, root);
      case ElementType.DB_POINTER -> next = string(bytes, value, last, at, root) + 12;
      case ElementType.CODE_WITH_SCOPE ->
          next = codeWithScope(bytes, value, last, depthLeft, at, root);
      default -> throw invalid(bytes, root, at, "Unrecognized BSON type " + (type & 0xFF));
    }
    if (next > last) {
      throw invalid(bytes, root, at, "BSON size is larger than buffer size");
    }
    return next;
  }

  /** Where the zero byte after the element's name stands. */
  private static int nameEnd(byte[] bytes, int element, int last, int root) {
    int from = element + 1;
    int at = from;
    while (at + 8 <= last) {
      long word = LittleEndian.int64(bytes, at);
      long zeros = (word - LOW_BITS) & ~word & HIGH_BITS;
      if (zeros != 0) {
        int end = at + (Long.numberOfTrailingZeros(zeros) >>> 3);
        // Bits of this word that belong to bytes before the zero.
        long highBits = word & HIGH_BITS & ((zeros & -zeros) - 1);
        if (highBits != 0) {
          checkText(bytes, from, end, element, root);
        }
        return end;
      }
      if ((word & HIGH_BITS) != 0) {
        break;
      }
      at += 8;
    }
    int end = at;
    int or = 0;
    while (end < last && bytes[end] != 0) {
      or |= bytes[end++];
    }
    if (end >= last) {
      throw invalid(bytes, root, element, "Not null terminated field name");
    }
    if (or < 0) {
      checkText(bytes, from, end, element, root);
    }
    return end;
  }

  private static int string(byte[] bytes, int at, int last, int element, int root) {
    int length = length(bytes, at, last, element, root);
    int end = at + 4 + length;
    if (length < 1 || length > last - at - 4 || bytes[end - 1] != 0) {
      throw invalidString(bytes, at, last, length, element, root);
    }
    checkText(bytes, at + 4, end - 1, element, root);
    return end;
  }

  private static CommandException invalidString(
      byte[] bytes, int at, int last, int length, int element, int root) {
    String reason =
        length < 1
            ? "Invalid string length " + length
            : length > last - at - 4
                ? "BSON size is larger than buffer size"
                : "Not null terminated string";
    return invalid(bytes, root, element, reason);
  }

  private static int nested(
      byte[] bytes, int start, int last, int depthLeft, int element, int root) {
    if (depthLeft < 1) {
      throw tooDeep();
    }
    int length = length(bytes, start, last, element, root);
    if (length < 5) {
      throw invalid(bytes, root, element, "Nested BSON object has to be at least 5 bytes");
    }
    if (length > last - start) {
      throw invalid(bytes, root, element, "BSON size is larger than buffer size");
    }
    int end = start + length;
    if (bytes[end - 1] != 0) {
      throw invalid(bytes, root, element, "BSON object not terminated with EOO");
    }
    int at = start + 4;
    while (at < end - 1) {
      at = element(bytes, at, end - 1, depthLeft - 1, root);
    }
    return end;
  }

  private static int bool(byte[] bytes, int at, int last, int element, int root) {
    if (at < last && (bytes[at] & ~1) != 0) {
      throw invalid(bytes, root, element, "BSON bool is neither false nor true");
    }
    return at + 1;
  }

  private static int binary(byte[] bytes, int at, int last, int element, int root) {
    int length = length(bytes, at, last, element, root);
    if (length < 0 || length > last - at - 5) {
      throw invalid(bytes, root, element, "BSON size is larger than buffer size");
    }
    // The old generic subtype repeats the length inside.
    if (bytes[at + 4] == 2 && (length < 4 || LittleEndian.int32(bytes, at + 5) != length - 4)) {
      throw invalid(bytes, root, element, "Invalid length of binary data with subtype 2");
    }
    return at + 5 + length;
  }

  private static int cstring(byte[] bytes, int from, int last, int element, int root) {
    int end = from;
    while (end < last && bytes[end] != 0) {
      end++;
    }
    if (end >= last) {
      throw invalid(bytes, root, element, "Not null terminated string");
    }
    checkText(bytes, from, end, element, root);
    return end + 1;
  }

  private static int codeWithScope(
      byte[] bytes, int at, int last, int depthLeft, int element, int root) {
    int length = length(bytes, at, last, element, root);
    if (length < 14 || length > last - at) {
      throw invalid(bytes, root, element, "Invalid length of code with scope: " + length);
    }
    int end = at + length;
    int scope = string(bytes, at + 4, end, element, root);
    if (nested(bytes, scope, end, depthLeft, element, root) != end) {
      throw invalid(bytes, root, element, "Invalid length of code with scope: " + length);
    }
    return end;
  }

  private static int length(byte[] bytes, int at, int last, int element, int root) {
    if (last - at < 4) {
      throw invalid(bytes, root, element, "BSON size is larger than buffer size");
    }
    return LittleEndian.int32(bytes, at);
  }

  private static void checkText(byte[] bytes, int from, int end, int element, int root) {
    if (!Utf8.isValid(bytes, from, end)) {
      throw invalid(bytes, root, element, "Invalid UTF-8 string");
    }
  }

  private static CommandException invalid(byte[] bytes, int root, int element, String reason) {
    return invalid(reason + " " + ElementPath.describe(bytes, root, element));
  }

  private static CommandException invalid(String reason) {
    return new CommandException(ErrorCode.INVALID_BSON, reason);
  }

  private static CommandException tooDeep() {
    return new CommandException(ErrorCode.OVERFLOW, "BSONObj exceeds maximum nested object depth");
  }
}
