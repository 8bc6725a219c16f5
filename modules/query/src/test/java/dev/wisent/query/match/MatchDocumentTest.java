package dev.wisent.query.match;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Filters written as documents again, as they are and in their normal form. */
class MatchDocumentTest {
  private static final int ROUNDS = 20_000;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{}                               | {}",
        "{a: 1}                           | {a: {$eq: 1}}",
        "{b: 1, a: 'x'}                   | {$and: [{a: {$eq: 'x'}}, {b: {$eq: 1}}]}",
        "{a: {$gt: 1, $lt: 5}}            | {$and: [{a: {$lt: 5}}, {a: {$gt: 1}}]}",
        "{a: {$gte: 1}, b: 2}             | {$and: [{b: {$eq: 2}}, {a: {$gte: 1}}]}",
        "{a: {$ne: 1}}                    | {a: {$not: {$eq: 1}}}",
        "{a: {$nin: [2, 1]}}              | {a: {$not: {$in: [1, 2]}}}",
        "{a: {$exists: false}}            | {a: {$not: {$exists: true}}}",
        "{a: {$in: [7]}}                  | {a: {$eq: 7}}",
        "{a: {$in: []}}                   | {$alwaysFalse: 1}",
        "{a: {$in: [3, /x/i, 1]}}         | {a: {$in: [1, 3, /x/i]}}",
        "{a: {$not: {$gt: 1, $lt: 5}}}    |" + " {$nor: [{$and: [{a: {$lt: 5}}, {a: {$gt: 1}}]}]}",
        "{a: /^x/}                        | {a: {$regex: '^x'}}",
        "{a: {$type: 'string'}}           | {a: {$type: [2]}}",
        "{a: {$type: ['number', 'null']}} | {a: {$type: ['number', 10]}}",
        "{a: {$mod: [4, 1]}}              |"
            + " {a: {$mod: [{$numberLong: '4'}, {$numberLong: '1'}]}}",
        "{a: {$size: 2}}                  | {a: {$size: 2}}",
        "{a: {$bitsAllSet: 5}}            | {a: {$bitsAllSet: [0, 2]}}",
        "{a: {$all: [1, 2]}}              | {$and: [{a: {$eq: 1}}, {a: {$eq: 2}}]}",
        "{a: {$elemMatch: {$gt: 1, $lt: 5}}} | {a: {$elemMatch: {$gt: 1, $lt: 5}}}",
        "{a: {$elemMatch: {x: 1, y: 2}}}  |"
            + " {a: {$elemMatch: {$and: [{x: {$eq: 1}}, {y: {$eq: 2}}]}}}",
        "{$and: [{a: 1}, {$and: [{b: 1}]}]} | {$and: [{a: {$eq: 1}}, {b: {$eq: 1}}]}",
        "{$or: [{b: 1}, {$or: [{a: 1}]}]} | {$or: [{a: {$eq: 1}}, {b: {$eq: 1}}]}",
        "{$or: [{a: 1}], b: 2}            | {$and: [{a: {$eq: 1}}, {b: {$eq: 2}}]}",
        "{$nor: [{a: 1}, {b: 2}]}         | {$nor: [{a: {$eq: 1}}, {b: {$eq: 2}}]}",
      })
  void normalForm(String filter, String expected) {
    MatchExpression normal = MatchNormalForm.of(MatchCases.parse(filter));
    assertThat(MatchDocument.of(normal)).isEqualTo(RawDocument.parse(expected));
  }

  @Test
  void regexWithOptions() {
    var expected = new BsonBuilder().startDocument("a");
    expected.appendString("$regex", "x").appendString("$options", "i").end();
    assertThat(MatchDocument.of(MatchCases.parse("{a: /x/i}"))).isEqualTo(expected.toDocument());
  }

  @Test
  void writtenFiltersMatchTheSame() {
    long seed = Long.getLong("wisent.seed", System.nanoTime());
    var random = new Random(new SplittableRandom(seed));
    for (int i = 0; i < ROUNDS; i++) {
      String filter = random.filter(2);
      MatchExpression parsed = MatchCases.parse(filter);
      MatchExpression normal = MatchNormalForm.of(parsed);
      RawDocument written = MatchDocument.of(parsed);
      MatchExpression again = MatchParser.parse(written, MatchCases.CONTEXT);
      MatchExpression normalAgain = MatchParser.parse(MatchDocument.of(normal), MatchCases.CONTEXT);
      assertThat(MatchDocument.of(again)).as("seed %d: %s", seed, filter).isEqualTo(written);
      for (int j = 0; j < 5; j++) {
        String document = random.document();
        RawDocument raw = RawDocument.parse(document);
        boolean expected = MatchCases.matches(parsed, raw);
        String problem = "seed %d: %s on %s".formatted(seed, filter, document);
        assertThat(again.matches(raw)).as(problem).isEqualTo(expected);
        assertThat(normal.matches(raw)).as(problem).isEqualTo(expected);
        assertThat(normalAgain.matches(raw)).as(problem).isEqualTo(expected);
      }
    }
  }

  /** Random filters and documents over few fields and values, so that many match. */
  private record Random(SplittableRandom random) {
    String filter(int depth) {
      int fields = random.nextInt(3);
      return IntStream.range(0, fields)
          .mapToObj(i -> condition(i, depth))
          .collect(Collectors.joining(", ", "{", "}"));
    }

    private String condition(int position, int depth) {
      if (depth > 0 && position == 0 && random.nextInt(3) == 0) {
        String operator = pick("$and", "$or", "$nor");
        return operator + ": [" + filter(depth - 1) + ", " + filter(depth - 1) + "]";
      }
      String path = position == 0 ? pick("a", "a.b") : pick("b", "c");
      return "'" + path + "': " + pick(value(), "{" + operators(depth) + "}");
    }

    private String operators(int depth) {
      return switch (random.nextInt(depth > 0 ? 12 : 10)) {
        case 0 -> "$gt: " + value() + ", $lte: " + value();
        case 1 -> "$ne: " + value();
        case 2 -> "$in: [" + value() + ", " + value() + pick("", ", /x/") + "]";
        case 3 -> "$nin: [" + value() + "]";
        case 4 -> "$exists: " + pick("true", "false");
        case 5 -> "$type: " + pick("'number'", "['string', 'null']", "'array'");
        case 6 -> "$all: [" + pick("", value(), value() + ", " + value()) + "]";
        case 7 -> "$exists: true, $regex: /x/" + pick("", "i");
        case 8 -> pick("$size: 2", "$mod: [2, 1]", "$bitsAnySet: 3");
        case 9 -> "$eq: " + value();
        case 10 -> "$not: {" + operators(depth - 1) + "}";
        default ->
            "$elemMatch: {"
                + (random.nextBoolean()
                    ? operators(depth - 1)
                    : "b: " + value() + ", c: {" + operators(depth - 1) + "}")
                + "}";
      };
    }

    String document() {
      return "{a: " + nested() + ", b: " + nested() + pick("", ", c: " + nested()) + "}";
    }

    private String nested() {
      return switch (random.nextInt(5)) {
        case 0 -> "[" + value() + ", " + value() + "]";
        case 1 -> "{b: " + value() + ", c: " + value() + "}";
        case 2 -> "[{b: " + value() + ", c: [" + value() + "]}, {b: " + value() + "}]";
        default -> value();
      };
    }

    private String value() {
      return pick("1", "2", "3.0", "null", "'x'", "'X'", "[1, 2]", "[]", "{b: 1}", "true");
    }

    private String pick(String... choices) {
      return choices[random.nextInt(choices.length)];
    }
  }
}
