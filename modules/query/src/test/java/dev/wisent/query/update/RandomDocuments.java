package dev.wisent.query.update;

import java.util.Random;
import org.bson.BsonArray;
import org.bson.BsonBinary;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDecimal128;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonJavaScriptWithScope;
import org.bson.BsonMaxKey;
import org.bson.BsonMinKey;
import org.bson.BsonNull;
import org.bson.BsonObjectId;
import org.bson.BsonRegularExpression;
import org.bson.BsonString;
import org.bson.BsonSymbol;
import org.bson.BsonTimestamp;
import org.bson.BsonUndefined;
import org.bson.BsonValue;
import org.bson.types.Decimal128;
import org.bson.types.ObjectId;

/** Documents of all types with few names, so that random paths meet something. */
final class RandomDocuments {
  static final String[] NAMES = {"a", "b", "c", "0", "1", "2", "10", "é"};

  private final Random random;

  RandomDocuments(Random random) {
    this.random = random;
  }

  BsonDocument document() {
    var document = new BsonDocument("_id", new BsonInt32(random.nextInt(100)));
    fill(document, 3);
    return document;
  }

  private void fill(BsonDocument document, int depth) {
    int fields = random.nextInt(5);
    for (int i = 0; i < fields; i++) {
      document.put(name(), value(depth));
    }
  }

  String name() {
    return NAMES[random.nextInt(NAMES.length)];
  }

  /** One to four components. */
  String path() {
    var path = new StringBuilder(name());
    int more = random.nextInt(4);
    for (int i = 0; i < more; i++) {
      path.append('.').append(name());
    }
    return path.toString();
  }

  BsonValue value(int depth) {
    int kinds = depth == 0 ? 20 : 34;
    int kind = random.nextInt(kinds);
    if (kind >= 27) {
      var array = new BsonArray();
      int size = random.nextInt(4);
      for (int i = 0; i < size; i++) {
        array.add(value(depth - 1));
      }
      return array;
    }
    if (kind >= 20) {
      var document = new BsonDocument();
      fill(document, depth - 1);
      return document;
    }
    return scalar(kind);
  }

  BsonValue number() {
    return scalar(random.nextInt(6));
  }

  private BsonValue scalar(int kind) {
    return switch (kind) {
      case 0, 1 -> new BsonInt32(random.nextInt(10) - 5);
      case 2 -> new BsonInt32(random.nextBoolean() ? Integer.MAX_VALUE : Integer.MIN_VALUE);
      case 3 -> new BsonInt64(random.nextInt(10));
      case 4 -> new BsonInt64(random.nextBoolean() ? Long.MAX_VALUE : Long.MIN_VALUE);
      case 5 -> new BsonDouble(random.nextInt(100) / 4.0);
      case 6 -> new BsonString("x".repeat(random.nextInt(4)));
      case 7 -> BsonNull.VALUE;
      case 8 -> BsonBoolean.valueOf(random.nextBoolean());
      case 9 -> new BsonDateTime(random.nextInt());
      case 10 -> new BsonTimestamp(random.nextInt(3), 0);
      case 11 -> new BsonObjectId(new ObjectId(random.nextInt(), random.nextInt(1 << 24)));
      case 12 -> new BsonBinary(new byte[random.nextInt(5)]);
      case 13 -> new BsonRegularExpression("a", "i");
      case 14 -> new BsonDecimal128(new Decimal128(random.nextInt(50)));
      case 15 -> new BsonSymbol("s");
      case 16 -> new BsonUndefined();
      case 17 -> random.nextBoolean() ? new BsonMinKey() : new BsonMaxKey();
      case 18 -> new BsonJavaScriptWithScope("f", new BsonDocument("a", new BsonInt32(1)));
      default -> new BsonString("é");
    };
  }
}
