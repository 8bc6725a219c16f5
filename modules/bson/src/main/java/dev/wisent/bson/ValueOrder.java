package dev.wisent.bson;

import java.util.Arrays;

/**
 * MongoDB's order of values across types: by {@link ElementType#rank} first, then by value.
 *
 * <p>Numbers compare exactly whatever their types. Documents compare element by element, each by
 * rank, then name, then value; the shorter one is first. Arrays compare likewise without names,
 * since the names of array elements say nothing but their position. Everything works on the bytes;
 * only decimals of many digits against doubles need objects.
 */
public final class ValueOrder {
  private ValueOrder() {}

  public static int compare(RawValue a, RawValue b) {
    return compareAt(a.type(), a.bytes(), a.offset(), b.type(), b.bytes(), b.offset());
  }

  /** Compares documents as values of the document type are compared. */
  public static int compare(RawDocument a, RawDocument b) {
    return compareElements(a.bytes(), a.offset(), b.bytes(), b.offset(), true);
  }

  /** Equality as queries see it: 1, 1.0 and NumberDecimal("1.00") are equal. */
  public static boolean equal(RawValue a, RawValue b) {
    if (a.type() == b.type() && a.length() != b.length() && equalOnlyWithSameLength(a.type())) {
      return false;
    }
    return compare(a, b) == 0;
  }

  public static boolean equal(RawDocument a, RawDocument b) {
    return compare(a, b) == 0;
  }

  /** The same for values that are {@link #equal}. */
  public static int hash(RawValue value) {
    return ValueHash.hash(value.type(), value.bytes(), value.offset());
  }

  private static boolean equalOnlyWithSameLength(byte type) {
    return type != ElementType.DOCUMENT
        && type != ElementType.ARRAY
        && type != ElementType.CODE_WITH_SCOPE;
  }

  /** Compares values that lie somewhere, without objects for them. */
  public static int compareAt(
      byte aType, byte[] a, int aOffset, byte bType, byte[] b, int bOffset) {
    if (aType != bType) {
      int ranks = ElementType.rank(aType) - ElementType.rank(bType);
      if (ranks != 0) {
        return ranks < 0 ? -1 : 1;
      }
    }
    return compareSameRank(aType, a, aOffset, bType, b, bOffset);
  }

  private static int compareSameRank(
      byte aType, byte[] a, int aOffset, byte bType, byte[] b, int bOffset) {
    return switch (aType) {
      case ElementType.INT32, ElementType.INT64, ElementType.DOUBLE, ElementType.DECIMAL128 ->
          NumberOrder.compare(aType, a, aOffset, bType, b, bOffset);
      case ElementType.STRING, ElementType.SYMBOL, ElementType.CODE ->
          compareStrings(a, aOffset, b, bOffset);
      case ElementType.OBJECT_ID ->
          sign(Arrays.compareUnsigned(a, aOffset, aOffset + 12, b, bOffset, bOffset + 12));
      case ElementType.DATE ->
          Long.compare(LittleEndian.int64(a, aOffset), LittleEndian.int64(b, bOffset));
      case ElementType.TIMESTAMP ->
          Long.compareUnsigned(LittleEndian.int64(a, aOffset), LittleEndian.int64(b, bOffset));
      case ElementType.BOOLEAN -> Boolean.compare(a[aOffset] != 0, b[bOffset] != 0);
      case ElementType.DOCUMENT -> compareElements(a, aOffset, b, bOffset, true);
      case ElementType.ARRAY -> compareElements(a, aOffset, b, bOffset, false);
      case ElementType.BINARY -> compareBinary(a, aOffset, b, bOffset);
      case ElementType.REGEX -> compareRegexes(a, aOffset, b, bOffset);
      case ElementType.DB_POINTER -> compareDbPointers(a, aOffset, b, bOffset);
      case ElementType.CODE_WITH_SCOPE -> compareCodeWithScope(a, aOffset, b, bOffset);
      default -> 0; // null, undefined, MinKey, MaxKey have no value
    };
  }

  private static int compareStrings(byte[] a, int aOffset, byte[] b, int bOffset) {
    int aEnd = aOffset + 3 + LittleEndian.int32(a, aOffset);
    int bEnd = bOffset + 3 + LittleEndian.int32(b, bOffset);
    return sign(Arrays.compareUnsigned(a, aOffset + 4, aEnd, b, bOffset + 4, bEnd));
  }

  private static int compareElements(
      byte[] a, int aOffset, byte[] b, int bOffset, boolean withNames) {
    int aAt = aOffset + 4;
    int bAt = bOffset + 4;
    while (true) {
      byte aType = a[aAt++];
      byte bType = b[bAt++];
      if (aType == 0 || bType == 0) {
        return Boolean.compare(aType != 0, bType != 0);
      }
      if (aType != bType) {
        int ranks = ElementType.rank(aType) - ElementType.rank(bType);
        if (ranks != 0) {
          return ranks < 0 ? -1 : 1;
        }
      }
      int aValue = CString.end(a, aAt) + 1;
      int bValue = CString.end(b, bAt) + 1;
      if (withNames) {
        int names = Arrays.compareUnsigned(a, aAt, aValue, b, bAt, bValue);
        if (names != 0) {
          return sign(names);
        }
      }
      int values = compareSameRank(aType, a, aValue, bType, b, bValue);
      if (values != 0) {
        return values;
      }
      aAt = aValue + RawValue.lengthAt(aType, a, aValue);
      bAt = bValue + RawValue.lengthAt(bType, b, bValue);
    }
  }

  /** By length, then subtype, then content. */
  private static int compareBinary(byte[] a, int aOffset, byte[] b, int bOffset) {
    int aLength = LittleEndian.int32(a, aOffset);
    int bLength = LittleEndian.int32(b, bOffset);
    if (aLength != bLength) {
      return Integer.compare(aLength, bLength);
    }
    int aEnd = aOffset + 5 + aLength;
    int bEnd = bOffset + 5 + bLength;
    return sign(Arrays.compareUnsigned(a, aOffset + 4, aEnd, b, bOffset + 4, bEnd));
  }

  private static int compareRegexes(byte[] a, int aOffset, byte[] b, int bOffset) {
    int patterns = CString.compare(a, aOffset, b, bOffset);
    if (patterns != 0) {
      return patterns;
    }
    return CString.compare(a, CString.end(a, aOffset) + 1, b, CString.end(b, bOffset) + 1);
  }

  /** By length of the namespace, then its bytes, then the ObjectId. */
  private static int compareDbPointers(byte[] a, int aOffset, byte[] b, int bOffset) {
    int aLength = LittleEndian.int32(a, aOffset);
    int bLength = LittleEndian.int32(b, bOffset);
    if (aLength != bLength) {
      return Integer.compare(aLength, bLength);
    }
    int aEnd = aOffset + 16 + aLength;
    int bEnd = bOffset + 16 + bLength;
    return sign(Arrays.compareUnsigned(a, aOffset + 4, aEnd, b, bOffset + 4, bEnd));
  }

  private static int compareCodeWithScope(byte[] a, int aOffset, byte[] b, int bOffset) {
    int codes = compareStrings(a, aOffset + 4, b, bOffset + 4);
    if (codes != 0) {
      return codes;
    }
    int aScope = aOffset + 8 + LittleEndian.int32(a, aOffset + 4);
    int bScope = bOffset + 8 + LittleEndian.int32(b, bOffset + 4);
    return compareElements(a, aScope, b, bScope, true);
  }

  private static int sign(int comparison) {
    return Integer.signum(comparison);
  }
}
