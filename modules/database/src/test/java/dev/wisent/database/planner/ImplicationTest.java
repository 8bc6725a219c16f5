package dev.wisent.database.planner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.RawDocument;
import dev.wisent.database.RandomData;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.context.QueryContext;
import dev.wisent.query.match.MatchExpression;
import dev.wisent.query.match.MatchNormalForm;
import dev.wisent.query.match.MatchParser;
import java.util.Random;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which filters are known to find only documents of a partial index. */
class ImplicationTest {
  private static MatchExpression parse(RawDocument filter) {
    return parse(filter, null);
  }

  private static MatchExpression parse(RawDocument filter, Collation collation) {
    var context = QueryContext.of(() -> 0, () -> 0).withCollation(collation);
    return MatchNormalForm.of(MatchParser.parse(filter, context));
  }

  private static Collation collation(RandomData data) {
    return Collation.parse(RawDocument.of(data.collation()));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {a: 6}                              | {a: {$gt: 5}}                 | true
          {a: 5}                              | {a: {$gt: 5}}                 | false
          {a: {$gt: 6}}                       | {a: {$gt: 5}}                 | true
          {a: {$gt: 5}}                       | {a: {$gt: 5}}                 | true
          {a: {$gte: 5}}                      | {a: {$gt: 5}}                 | false
          {a: {$gt: 5}}                       | {a: {$gte: 5}}                | true
          {a: {$lt: 5}}                       | {a: {$lte: 5}}                | true
          {a: {$lt: 5}}                       | {a: {$gt: 1}}                 | false
          {a: {$gt: 'x'}}                     | {a: {$gt: 5}}                 | false
          {a: {$in: [6, 7]}}                  | {a: {$gt: 5}}                 | true
          {a: {$in: [6, 4]}}                  | {a: {$gt: 5}}                 | false
          {a: 1, b: 2}                        | {a: 1}                        | true
          {a: 1}                              | {a: 1, b: 2}                  | false
          {a: 1, b: 2, c: 3}                  | {a: 1, b: 2}                  | true
          {a: 1}                              | {a: {$in: [1, 2]}}            | true
          {a: 3}                              | {a: {$in: [1, 2]}}            | false
          {$or: [{a: 1}, {a: 2, b: 1}]}       | {a: {$lt: 5}}                 | true
          {$or: [{a: 1}, {b: 1}]}             | {a: {$lt: 5}}                 | false
          {a: 1}                              | {$or: [{a: 1}, {b: 1}]}       | true
          {$or: [{b: 1}, {a: 1}]}             | {$or: [{a: 1}, {b: 1}]}       | true
          {a: 5}                              | {a: {$exists: true}}          | true
          {a: {$gt: 5}}                       | {a: {$exists: true}}          | true
          {a: {$ne: null}}                    | {a: {$exists: true}}          | true
          {'a.b': {$ne: null}}                | {'a.b': {$exists: true}}      | false
          {a: null}                           | {a: {$exists: true}}          | false
          {a: {$ne: 5}}                       | {a: {$exists: true}}          | false
          {a: 'x'}                            | {a: {$type: 'string'}}        | false
          {a: 'x'}                            | {a: {$type: ['string', 'symbol']}} | true
          {a: 5}                              | {a: {$type: 'number'}}        | true
          {a: 5}                              | {a: {$type: 'int'}}           | false
          {a: {$type: 'int'}}                 | {a: {$type: 'number'}}        | true
          {}                                  | {a: 1}                        | false
          """)
  void aFilterImpliesAnother(String query, String required, boolean holds) {
    assertThat(
            Implication.holds(parse(RawDocument.parse(query)), parse(RawDocument.parse(required))))
        .isEqualTo(holds);
  }

  /** What is proved must be true of every document. */
  @Test
  void proofsAreRight() {
    long seed = Long.getLong("wisent.seed", System.nanoTime());
    System.out.println("ImplicationTest seed " + seed);
    var random = new Random(seed);
    var data = new RandomData(random);
    int proofs = 0;
    for (int n = 0; n < 20_000; n++) {
      BsonDocument first = data.filter();
      BsonDocument second = data.filter();
      if (first.isEmpty() || second.isEmpty() || first.getFirstKey().startsWith("$")) {
        continue;
      }
      RawDocument query = RawDocument.of(first);
      RawDocument required =
          RawDocument.of(new BsonDocument(first.getFirstKey(), second.get(second.getFirstKey())));
      MatchExpression filter;
      MatchExpression partial;
      try {
        Collation used = collation(data);
        filter = parse(query, used);
        partial = parse(required, random.nextBoolean() ? used : collation(data));
      } catch (RuntimeException e) {
        continue;
      }
      if (!Implication.holds(filter, partial)) {
        continue;
      }
      proofs++;
      for (int d = 0; d < 50; d++) {
        RawDocument document = RawDocument.of(data.document(d));
        if (filter.matches(document)) {
          assertThat(partial.matches(document))
              .as(
                  "seed %d: %s and %s of %s",
                  seed, query.toJson(), required.toJson(), document.toJson())
              .isTrue();
        }
      }
    }
    assertThat(proofs).isGreaterThan(100);
  }
}
