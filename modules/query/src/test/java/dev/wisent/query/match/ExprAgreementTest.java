package dev.wisent.query.match;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.RawDocument;
import dev.wisent.query.context.QueryContext;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.junit.jupiter.api.Test;

/** A random filter finds the same documents as one made of expressions that say the same. */
class ExprAgreementTest {
  private static final int FILTERS = 3_000;
  private static final int DOCUMENTS = 20;
  private static final List<String> PATHS = List.of("a", "b", "d.x");
  private static final List<String> RANGES = List.of("$lt", "$lte", "$gt", "$gte");

  private final long seed = Long.getLong("wisent.seed", System.nanoTime());
  private final Random random = new Random(seed);

  /** The same condition said in both ways. */
  private record Pair(BsonDocument filter, BsonValue expression) {}

  @Test
  void matcherAndExpressionsAgree() {
    var context = QueryContext.of(() -> 0, () -> 0);
    for (int i = 0; i < FILTERS; i++) {
      Pair pair = condition(3);
      var expr = new BsonDocument("$expr", pair.expression());
      MatchExpression filter = MatchParser.parse(RawDocument.of(pair.filter()), context);
      MatchExpression computed = MatchParser.parse(RawDocument.of(expr), context);
      for (int j = 0; j < DOCUMENTS; j++) {
        RawDocument document = RawDocument.of(document());
        assertThat(MatchCases.matches(computed, document))
            .as("seed %d: %s and %s on %s", seed, pair.filter(), expr, document)
            .isEqualTo(MatchCases.matches(filter, document));
      }
    }
  }

  private BsonDocument document() {
    var document = new BsonDocument();
    for (String name : List.of("a", "b")) {
      if (random.nextInt(5) > 0) {
        document.append(name, random.nextInt(4) == 0 ? array() : scalar());
      }
    }
    switch (random.nextInt(4)) {
      case 0 -> document.append("d", scalar());
      case 1 -> document.append("d", new BsonDocument());
      default -> document.append("d", new BsonDocument("x", scalar()));
    }
    return document;
  }

  private BsonArray array() {
    return new BsonArray(
        IntStream.range(0, random.nextInt(4)).<BsonValue>mapToObj(i -> scalar()).toList());
  }

  private BsonValue scalar() {
    int number = random.nextInt(5) - 1;
    return switch (random.nextInt(6)) {
      case 0 -> new BsonInt64(number);
      case 1 ->
          new BsonDouble(random.nextInt(8) == 0 ? Double.NaN : number + random.nextInt(2) / 2.0);
      case 2 -> new BsonString(String.valueOf((char) ('a' + random.nextInt(3))));
      case 3 -> random.nextBoolean() ? BsonNull.VALUE : BsonBoolean.valueOf(random.nextBoolean());
      default -> new BsonInt32(number);
    };
  }

  private Pair condition(int depth) {
    int kind = random.nextInt(depth == 0 ? 5 : 8);
    return switch (kind) {
      case 0, 1 -> equality();
      case 2 -> range();
      case 3 -> in();
      case 4 -> exists();
      case 5 -> junction("$and", "$and", depth);
      case 6 -> junction("$or", "$or", depth);
      default -> {
        Pair one = condition(depth - 1);
        yield new Pair(
            new BsonDocument("$nor", new BsonArray(List.of(one.filter()))),
            operator("$not", one.expression()));
      }
    };
  }

  private Pair junction(String filter, String expression, int depth) {
    Pair a = condition(depth - 1);
    Pair b = condition(depth - 1);
    return new Pair(
        new BsonDocument(filter, new BsonArray(List.of(a.filter(), b.filter()))),
        operator(expression, a.expression(), b.expression()));
  }

  private Pair equality() {
    String path = path();
    BsonValue value = scalar();
    return new Pair(new BsonDocument(path, value), anyElement(path, equal(value)));
  }

  private Pair range() {
    String path = path();
    BsonValue value = random.nextBoolean() ? new BsonInt32(random.nextInt(4)) : new BsonString("b");
    String comparison = RANGES.get(random.nextInt(RANGES.size()));
    BsonValue element = new BsonString("$$v");
    BsonValue sameType =
        value.isString()
            ? operator("$eq", operator("$type", element), new BsonString("string"))
            : operator(
                "$and",
                operator("$isNumber", element),
                // NaN is neither less nor greater than anything.
                operator("$gte", element, new BsonDouble(Double.NEGATIVE_INFINITY)));
    return new Pair(
        new BsonDocument(path, new BsonDocument(comparison, value)),
        anyElement(path, operator("$and", sameType, operator(comparison, element, value))));
  }

  private Pair in() {
    String path = path();
    List<BsonValue> values = IntStream.range(0, 3).<BsonValue>mapToObj(i -> scalar()).toList();
    return new Pair(
        new BsonDocument(path, new BsonDocument("$in", new BsonArray(values))),
        anyElement(
            path, operator("$or", values.stream().map(this::equal).toArray(BsonValue[]::new))));
  }

  private Pair exists() {
    String path = path();
    return new Pair(
        new BsonDocument(path, new BsonDocument("$exists", BsonBoolean.TRUE)),
        operator("$ne", operator("$type", new BsonString("$" + path)), new BsonString("missing")));
  }

  private String path() {
    return PATHS.get(random.nextInt(PATHS.size()));
  }

  /** A filter's null is also what is missing. */
  private BsonValue equal(BsonValue value) {
    BsonValue element = new BsonString("$$v");
    BsonValue equal = operator("$eq", element, new BsonDocument("$literal", value));
    return value.isNull()
        ? operator(
            "$or", equal, operator("$eq", operator("$type", element), new BsonString("missing")))
        : equal;
  }

  /** The condition on {@code $$v} for the value at the path, or for an element of it. */
  private static BsonValue anyElement(String path, BsonValue condition) {
    var field = new BsonString("$" + path);
    var ofWhole =
        new BsonDocument(
            "$let", new BsonDocument("vars", new BsonDocument("v", field)).append("in", condition));
    var ofElements =
        new BsonDocument(
            "$map",
            new BsonDocument("input", field)
                .append("as", new BsonString("v"))
                .append("in", condition));
    return operator(
        "$or",
        ofWhole,
        operator("$and", operator("$isArray", field), operator("$anyElementTrue", ofElements)));
  }

  private static BsonValue operator(String name, BsonValue... arguments) {
    return new BsonDocument(name, new BsonArray(List.of(arguments)));
  }
}
