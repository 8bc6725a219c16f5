package dev.wisent.bson;

/** The type bytes of BSON, their rank in the order across types, and their names. */
public final class ElementType {
  public static final byte DOUBLE = 0x01;
  public static final byte STRING = 0x02;
  public static final byte DOCUMENT = 0x03;
  public static final byte ARRAY = 0x04;
  public static final byte BINARY = 0x05;
  public static final byte UNDEFINED = 0x06;
  public static final byte OBJECT_ID = 0x07;
  public static final byte BOOLEAN = 0x08;
  public static final byte DATE = 0x09;
  public static final byte NULL = 0x0A;
  public static final byte REGEX = 0x0B;
  public static final byte DB_POINTER = 0x0C;
  public static final byte CODE = 0x0D;
  public static final byte SYMBOL = 0x0E;
  public static final byte CODE_WITH_SCOPE = 0x0F;
  public static final byte INT32 = 0x10;
  public static final byte TIMESTAMP = 0x11;
  public static final byte INT64 = 0x12;
  public static final byte DECIMAL128 = 0x13;
  public static final byte MIN_KEY = (byte) 0xFF;
  public static final byte MAX_KEY = 0x7F;

  private ElementType() {}

  public static boolean isNumber(byte type) {
    return type == INT32 || type == INT64 || type == DOUBLE || type == DECIMAL128;
  }

  public static boolean isKnown(byte type) {
    return (type >= DOUBLE && type <= DECIMAL128) || type == MIN_KEY || type == MAX_KEY;
  }

  /**
   * Where values of this type stand among values of other types. Types with the same rank compare
   * by value: all numbers, and strings with symbols.
   */
  public static int rank(byte type) {
    return switch (type) {
      case MIN_KEY -> -1;
      case UNDEFINED -> 0;
      case NULL -> 5;
      case INT32, INT64, DOUBLE, DECIMAL128 -> 10;
      case STRING, SYMBOL -> 15;
      case DOCUMENT -> 20;
      case ARRAY -> 25;
      case BINARY -> 30;
      case OBJECT_ID -> 35;
      case BOOLEAN -> 40;
      case DATE -> 45;
      case TIMESTAMP -> 47;
      case REGEX -> 50;
      case DB_POINTER -> 55;
      case CODE -> 60;
      case CODE_WITH_SCOPE -> 65;
      case MAX_KEY -> 127;
      default -> throw new IllegalArgumentException("unknown BSON type " + type);
    };
  }

  /** The name that {@code $type} and error messages use. */
  public static String alias(byte type) {
    return switch (type) {
      case DOUBLE -> "double";
      case STRING -> "string";
      case DOCUMENT -> "object";
      case ARRAY -> "array";
      case BINARY -> "binData";
      case UNDEFINED -> "undefined";
      case OBJECT_ID -> "objectId";
      case BOOLEAN -> "bool";
      case DATE -> "date";
      case NULL -> "null";
      case REGEX -> "regex";
      case DB_POINTER -> "dbPointer";
      case CODE -> "javascript";
      case SYMBOL -> "symbol";
      case CODE_WITH_SCOPE -> "javascriptWithScope";
      case INT32 -> "int";
      case TIMESTAMP -> "timestamp";
      case INT64 -> "long";
      case DECIMAL128 -> "decimal";
      case MIN_KEY -> "minKey";
      case MAX_KEY -> "maxKey";
      default -> throw new IllegalArgumentException("unknown BSON type " + type);
    };
  }
}
