package dev.wisent.tools;

import java.util.List;
import java.util.Random;
import org.bson.BsonBinary;
import org.bson.BsonBinaryWriter;
import org.bson.BsonDbPointer;
import org.bson.BsonRegularExpression;
import org.bson.BsonTimestamp;
import org.bson.BsonWriter;
import org.bson.RawBsonDocument;
import org.bson.io.BasicOutputBuffer;
import org.bson.types.Decimal128;
import org.bson.types.ObjectId;

/** Documents of all types of BSON, with names and values that are easily lost. */
final class RandomDocuments {
  private static final List<String> NAMES =
      List.of(
          "",
          " ",
          "a",
          "b",
          "a.b",
          ".",
          "$",
          "$oid",
          "$date",
          "$numberLong",
          "x$",
          "0",
          "1",
          "_id",
          "wörter",
          "\ud83e\uddac",
          "line\nbreak",
          "tab\t",
          "\"quoted\"",
          "'",
          "back\\slash",
          "%41",
          "%s",
          "{}",
          "--name",
          "long".repeat(80));
  private static final List<String> TEXTS =
      List.of(
          "",
          " ",
          "text",
          "\u0000",
          "a\u0000b",
          "\u20ac",
          "\ud83e\uddac",
          "\"\\'",
          "line\r\nbreak",
          "\u2028",
          "1",
          "NaN",
          "null",
          "{\"$oid\": 1}",
          ",",
          "\t",
          "x".repeat(3_000));
  private static final List<Double> DOUBLES =
      List.of(
          0.0,
          -0.0,
          1.0,
          -1.5,
          Double.NaN,
          Double.POSITIVE_INFINITY,
          Double.NEGATIVE_INFINITY,
          Double.MIN_VALUE,
          Double.MAX_VALUE,
          9007199254740992.0,
          1e22,
          0.1);
  private static final List<Long> LONGS =
      List.of(0L, 1L, -1L, Long.MIN_VALUE, Long.MAX_VALUE, 9007199254740993L, 4294967296L);
  private static final List<String> DECIMALS =
      List.of(
          "0",
          "-0",
          "1.10",
          "1.10E+3",
          "NaN",
          "-Infinity",
          "9.999999999999999999999999999999999E+6144");
  private static final int KINDS = 21;

  /** Milliseconds that no index with an expiry has reached. */
  private static final long FUTURE = 4_000_000_000_000L;

  private final Random random;
  private final int depthMax;

  private final Names names;

  private int count;

  /** Which names fields have. */
  enum Names {
    /** As JSON can have them: once, and not those of Extended JSON. */
    OF_JSON,
    /** Also twice in a document, and with a dollar sign. */
    ALL
  }

  RandomDocuments(Random random, int depthMax, Names names) {
    this.random = random;
    this.depthMax = depthMax;
    this.names = names;
  }

  private <T> T one(List<T> of) {
    return of.get(random.nextInt(of.size()));
  }

  /** A document whose {@code _id} is different from all others, under every collation. */
  RawBsonDocument next() {
    var buffer = new BasicOutputBuffer();
    try (var writer = new BsonBinaryWriter(buffer)) {
      writer.writeStartDocument();
      writer.writeName("_id");
      id(writer);
      fields(writer, 1, true);
      writer.writeEndDocument();
    }
    return new RawBsonDocument(buffer.toByteArray());
  }

  /** A document of so many bytes. */
  RawBsonDocument large(int bytes) {
    var buffer = new BasicOutputBuffer();
    try (var writer = new BsonBinaryWriter(buffer)) {
      writer.writeStartDocument();
      writer.writeInt32("_id", count++);
      byte[] content = new byte[bytes - 4 - 1 - (1 + 4 + 4) - (1 + 2 + 4 + 1)];
      random.nextBytes(content);
      writer.writeBinaryData("v", new BsonBinary(content));
      writer.writeEndDocument();
    }
    return new RawBsonDocument(buffer.toByteArray());
  }

  private void id(BsonWriter writer) {
    int number = count++;
    switch (random.nextInt(9)) {
      case 0 -> writer.writeInt64(number);
      case 1 -> writer.writeDouble(number + 0.5);
      case 2 -> writer.writeString("id" + number);
      case 3 -> {
        writer.writeStartDocument();
        writer.writeInt32("b", number);
        writer.writeInt32("a", random.nextInt());
        writer.writeEndDocument();
      }
      case 4 -> writer.writeObjectId(new ObjectId(number, random.nextInt(1 << 24)));
      case 5 -> writer.writeDateTime(FUTURE + number);
      case 6 ->
          writer.writeBinaryData(new BsonBinary((byte) number, new byte[] {(byte) (number >>> 8)}));
      case 7 -> writer.writeTimestamp(new BsonTimestamp(number, 1));
      default -> writer.writeInt32(number);
    }
  }

  private void fields(BsonWriter writer, int depth, boolean ofDocument) {
    int fields = random.nextInt(depth == 1 ? 9 : 4);
    for (int i = 0; i < fields; i++) {
      writer.writeName(name(i, depth == 1 && ofDocument));
      value(writer, depth);
    }
  }

  private String name(int number, boolean atTop) {
    String name = one(NAMES);
    if (names == Names.OF_JSON) {
      return (name.startsWith("$") ? "" : name) + number;
    }
    boolean ofServer = atTop && (name.equals("_id") || name.startsWith("$"));
    return ofServer ? "f" + number : name;
  }

  private void value(BsonWriter writer, int depth) {
    switch (random.nextInt(depth >= depthMax ? KINDS - 3 : KINDS)) {
      case 0 -> writer.writeDouble(one(DOUBLES));
      case 1 -> writer.writeString(one(TEXTS));
      case 2 -> writer.writeInt32(random.nextInt());
      case 3 -> writer.writeInt64(one(LONGS));
      case 4 -> writer.writeDecimal128(Decimal128.parse(one(DECIMALS)));
      case 5 -> writer.writeBoolean(random.nextBoolean());
      case 6 -> writer.writeNull();
      case 7 -> writer.writeUndefined();
      case 8 -> writer.writeMinKey();
      case 9 -> writer.writeMaxKey();
      case 10 -> writer.writeObjectId(new ObjectId(random.nextInt(), random.nextInt(1 << 24)));
      case 11 -> writer.writeDateTime(one(LONGS));
      case 12 -> writer.writeTimestamp(new BsonTimestamp(random.nextLong()));
      case 13 ->
          writer.writeRegularExpression(
              new BsonRegularExpression(
                  one(List.of("", "a/b", "^x.*\"", "\\d")), one(List.of("", "i", "imsx"))));
      case 14 -> writer.writeJavaScript(one(TEXTS));
      case 15 -> writer.writeSymbol(one(TEXTS));
      case 16 ->
          writer.writeDBPointer(new BsonDbPointer("c.d", new ObjectId(1, random.nextInt(1 << 24))));
      case 17 -> {
        byte[] bytes = new byte[random.nextInt(40)];
        random.nextBytes(bytes);
        // 2 has an inner length, which the library adds.
        writer.writeBinaryData(
            new BsonBinary(one(List.of((byte) 0, (byte) 5, (byte) 6, (byte) 128)), bytes));
      }
      case 18 -> {
        writer.writeJavaScriptWithScope("f()");
        writer.writeStartDocument();
        fields(writer, depth + 1, false);
        writer.writeEndDocument();
      }
      case 19 -> {
        writer.writeStartArray();
        int elements = random.nextInt(4);
        for (int i = 0; i < elements; i++) {
          value(writer, depth + 1);
        }
        writer.writeEndArray();
      }
      default -> {
        writer.writeStartDocument();
        fields(writer, depth + 1, true);
        writer.writeEndDocument();
      }
    }
  }

  /** Documents in documents, down to the last that is allowed. */
  RawBsonDocument nested(int levels) {
    var buffer = new BasicOutputBuffer();
    try (var writer = new BsonBinaryWriter(buffer)) {
      writer.writeStartDocument();
      writer.writeInt32("_id", count++);
      for (int i = 1; i < levels; i++) {
        writer.writeStartDocument(one(NAMES));
      }
      for (int i = 0; i < levels; i++) {
        writer.writeEndDocument();
      }
    }
    return new RawBsonDocument(buffer.toByteArray());
  }
}
