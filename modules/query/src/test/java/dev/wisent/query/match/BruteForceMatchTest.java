package dev.wisent.query.match;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntPredicate;
import org.bson.BsonArray;
import org.bson.BsonBinary;
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
import org.bson.BsonString;
import org.bson.BsonTimestamp;
import org.bson.BsonValue;
import org.bson.types.Decimal128;
import org.bson.types.ObjectId;
import org.junit.jupiter.api.Test;

/** Compares $eq, $in and ranges on random values with what ValueOrder says, element by element. */
class BruteForceMatchTest {
  private static final int ROUNDS = 4_000;

  private final long seed = Long.getLong("wisent.seed", System.nanoTime());
  private final SplittableRandom random = new SplittableRandom(seed);

  @Test
  void comparisons() {
    for (int i = 0; i < ROUNDS; i++) {
      BsonValue operand = value(1);
      BsonValue stored = random.nextInt(10) == 0 ? null : value(2);
      check("$eq", operand, stored, order -> order == 0);
      check("$lt", operand, stored, order -> order < 0);
      check("$lte", operand, stored, order -> order <= 0);
      check("$gt", operand, stored, order -> order > 0);
      check("$gte", operand, stored, order -> order >= 0);
    }
  }

  @Test
  void in() {
    for (int i = 0; i < ROUNDS; i++) {
      var operands = new ArrayList<BsonValue>();
      for (int n = random.nextInt(12); n > 0; n--) {
        operands.add(value(1));
      }
      BsonValue stored = random.nextInt(10) == 0 ? null : value(2);
      boolean expected =
          operands.stream().anyMatch(o -> expected(RawValue.of(o), stored, order -> order == 0));
      var condition = new BsonDocument("$in", new BsonArray(operands));
      assertThat(matches(condition, stored))
          .as("seed %d: %s on %s", seed, condition, stored)
          .isEqualTo(expected);
      var opposite = new BsonDocument("$nin", new BsonArray(operands));
      assertThat(matches(opposite, stored)).as("seed %d: %s", seed, opposite).isEqualTo(!expected);
    }
  }

  private void check(String operator, BsonValue operand, BsonValue stored, IntPredicate accepts) {
    var condition = new BsonDocument(operator, operand);
    assertThat(matches(condition, stored))
        .as("seed %d: %s on %s", seed, condition, stored)
        .isEqualTo(expected(RawValue.of(operand), stored, accepts));
  }

  private static boolean matches(BsonDocument condition, BsonValue stored) {
    var document = new BsonDocument("x", new BsonInt32(0));
    if (stored != null) {
      document.append("a", stored);
    }
    RawDocument filter = RawDocument.of(new BsonDocument("a", condition));
    return MatchCases.matches(
        MatchParser.parse(filter, MatchCases.CONTEXT), RawDocument.of(document));
  }

  private static boolean expected(RawValue operand, BsonValue stored, IntPredicate accepts) {
    if (stored == null) {
      return compare(RawValue.NULL, operand, accepts)
          && (operand.type() != ElementType.NULL || accepts.test(0));
    }
    List<RawValue> candidates = new ArrayList<>();
    if (stored.isArray()) {
      stored.asArray().forEach(element -> candidates.add(RawValue.of(element)));
    }
    candidates.add(RawValue.of(stored));
    return candidates.stream().anyMatch(value -> compare(value, operand, accepts));
  }

  private static boolean compare(RawValue value, RawValue operand, IntPredicate accepts) {
    boolean equalOnly = accepts.test(0) && !accepts.test(1) && !accepts.test(-1);
    boolean sameType = ElementType.rank(value.type()) == ElementType.rank(operand.type());
    boolean bound = operand.type() == ElementType.MIN_KEY || operand.type() == ElementType.MAX_KEY;
    if (!sameType && (equalOnly || !bound)) {
      return false;
    }
    if (sameType && isNaN(value) != isNaN(operand)) {
      return false;
    }
    if (sameType && isNaN(value)) {
      return accepts.test(0);
    }
    return accepts.test(ValueOrder.compare(value, operand));
  }

  private static boolean isNaN(RawValue value) {
    return value.isNumber() && Double.isNaN(value.toDouble());
  }

  private BsonValue value(int depth) {
    int kinds = depth > 0 ? 15 : 13;
    return switch (random.nextInt(kinds)) {
      case 0 -> new BsonInt32(random.nextInt(-3, 4));
      case 1 -> new BsonInt64(random.nextInt(-3, 4));
      case 2 -> new BsonDouble(random.nextInt(-6, 7) / 2.0);
      case 3 -> new BsonDecimal128(new Decimal128(random.nextInt(-3, 4)));
      case 4 -> new BsonDouble(random.nextBoolean() ? Double.NaN : Double.POSITIVE_INFINITY);
      case 5 -> new BsonString("x".repeat(random.nextInt(3)));
      case 6 -> BsonBoolean.valueOf(random.nextBoolean());
      case 7 -> BsonNull.VALUE;
      case 8 -> new BsonDateTime(random.nextInt(-2, 3));
      case 9 -> new BsonTimestamp(random.nextInt(3), 1);
      case 10 -> new BsonObjectId(new ObjectId(random.nextInt(3), 0));
      case 11 -> new BsonBinary(new byte[random.nextInt(3)]);
      case 12 -> random.nextBoolean() ? new BsonMinKey() : new BsonMaxKey();
      case 13 -> {
        var array = new BsonArray();
        for (int n = random.nextInt(4); n > 0; n--) {
          array.add(value(depth - 1));
        }
        yield array;
      }
      default -> {
        var document = new BsonDocument();
        for (int n = random.nextInt(3); n > 0; n--) {
          document.append(random.nextBoolean() ? "p" : "q", value(depth - 1));
        }
        yield document;
      }
    };
  }
}
