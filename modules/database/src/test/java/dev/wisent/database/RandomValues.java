package dev.wisent.database;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDecimal128;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonMaxKey;
import org.bson.BsonMinKey;
import org.bson.BsonNull;
import org.bson.BsonObjectId;
import org.bson.BsonRegularExpression;
import org.bson.BsonString;
import org.bson.BsonSymbol;
import org.bson.BsonUndefined;
import org.bson.BsonValue;
import org.bson.types.Decimal128;
import org.bson.types.ObjectId;

/** Random documents and values from small pools, so that they are often equal. */
final class RandomValues {
  private static final List<String> NAMES = List.of("a", "b", "c");
  private static final String[] STRINGS = {
    "", "a", "A", "\u00e4", "a\u0308", "ab", "aB", "b", "B", "a10", "a2", "a b", "x\u0000y"
  };
  private static final String[] DECIMALS = {
    "1", "1.0", "2.50", "3.5", "NaN", "-0", "1E+3", "Infinity"
  };

  private final RandomGenerator random;

  /** The fields of documents that never hold an array, neither themselves nor below. */
  private final Set<String> plainFields = new HashSet<>();

  private boolean arrays = true;

  RandomValues(RandomGenerator random) {
    this.random = random;
    boolean allPlain = random.nextInt(4) == 0;
    for (String name : NAMES) {
      if (allPlain || random.nextInt(4) == 0) {
        plainFields.add(name);
      }
    }
  }

  BsonDocument document(int id) {
    var document = new BsonDocument("_id", new BsonInt32(id));
    for (String name : NAMES) {
      arrays = !plainFields.contains(name);
      switch (random.nextInt(8)) {
        case 0 -> {}
        case 1, 2 -> document.put(name, arrays ? pairs() : value(2));
        default -> document.put(name, value(2));
      }
    }
    arrays = true;
    return document;
  }

  BsonValue value(int depth) {
    int kind = random.nextInt(depth > 0 ? (arrays ? 14 : 11) : 9);
    return switch (kind) {
      case 9, 10 -> subdocument(depth - 1);
      case 11, 12, 13 -> array(depth - 1);
      default -> scalar();
    };
  }

  /** An array of documents that all have the same fields. */
  private BsonArray pairs() {
    var array = new BsonArray();
    int size = 1 + random.nextInt(3);
    for (int i = 0; i < size; i++) {
      array.add(
          new BsonDocument("x", new BsonInt32(random.nextInt(5)))
              .append("y", new BsonInt32(random.nextInt(5))));
    }
    return array;
  }

  private BsonDocument subdocument(int depth) {
    var document = new BsonDocument();
    if (random.nextInt(4) != 0) {
      document.put("x", value(depth));
    }
    if (random.nextInt(3) != 0) {
      document.put("y", value(depth));
    }
    return document;
  }

  private BsonArray array(int depth) {
    var array = new BsonArray();
    int size = random.nextInt(4);
    boolean ofDocuments = random.nextBoolean();
    for (int i = 0; i < size; i++) {
      array.add(ofDocuments ? subdocument(depth) : value(depth));
    }
    return array;
  }

  private BsonValue scalar() {
    return switch (random.nextInt(24)) {
      case 0, 1, 2 -> BsonNull.VALUE;
      case 3, 4, 5, 6, 7, 8 -> new BsonInt32(random.nextInt(5));
      case 9, 10 -> new BsonInt64(random.nextInt(5));
      case 11, 12 -> new BsonDouble(random.nextInt(10) / 2.0);
      case 13 -> new BsonDecimal128(Decimal128.parse(pick(DECIMALS)));
      case 14, 15, 16, 17 -> new BsonString(pick(STRINGS));
      case 18 -> BsonBoolean.valueOf(random.nextBoolean());
      case 19 ->
          random.nextBoolean()
              ? new BsonDateTime(random.nextInt(3))
              : new BsonObjectId(new ObjectId(random.nextInt(3), 0));
      case 20 -> new BsonDouble(Double.NaN);
      default -> rare();
    };
  }

  private BsonValue rare() {
    return switch (random.nextInt(6)) {
      case 0 -> new BsonUndefined();
      case 1 -> new BsonMinKey();
      case 2 -> new BsonMaxKey();
      case 3 -> new BsonSymbol("ab");
      case 4 -> new BsonRegularExpression("^a");
      default -> new BsonInt64(Long.MAX_VALUE - random.nextInt(2));
    };
  }

  private String pick(String[] pool) {
    return pool[random.nextInt(pool.length)];
  }
}
