package dev.wisent.sharding.advice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.RawDocument;
import dev.wisent.query.context.QueryContext;
import dev.wisent.sharding.RoutingTable;
import dev.wisent.sharding.ShardKeyPattern;
import dev.wisent.sharding.advice.KeyRanges.EncodedKey;
import dev.wisent.sharding.advice.SampledQuery.Kind;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QueryDistributionTest {
  private static QueryDistribution over(String pattern) {
    ShardKeyPattern key = ShardKeyPattern.of(RawDocument.parse(pattern));
    List<EncodedKey> sample =
        IntStream.range(0, 1_000)
            .mapToObj(i -> EncodedKey.of(key, RawDocument.parse("{a: %d, b: %d}".formatted(i, i))))
            .toList();
    RoutingTable ranges = KeyRanges.of(key, sample, 10);
    assertThat(ranges.chunkCount()).isEqualTo(10);
    return new QueryDistribution(ranges, QueryContext.of(() -> 0, () -> 0));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{a: 1}             | {a: 5}                           | 1 | 0 | 0 | 1",
        "{a: 1}             | {a: {$gte: 150, $lt: 450}}       | 0 | 1 | 0 | 4",
        "{a: 1}             | {a: {$gte: 0}}                   | 0 | 1 | 0 | 10",
        "{a: 1}             | {a: {$in: [5, 505]}}             | 0 | 1 | 0 | 2",
        "{a: 1}             | {$or: [{a: 5}, {a: 505}]}        | 0 | 1 | 0 | 2",
        "{a: 1}             | {$or: [{a: 5}, {b: 505}]}        | 0 | 0 | 1 | 10",
        "{a: 1}             | {b: 5}                           | 0 | 0 | 1 | 10",
        "{a: 1}             | {}                               | 0 | 0 | 1 | 10",
        "{a: 1}             | {a: {$nonsense: 1}}              | 0 | 0 | 1 | 10",
        "{a: 1, b: 1}       | {a: 5, b: 5}                     | 1 | 0 | 0 | 1",
        "{a: 1, b: 1}       | {a: 5}                           | 0 | 1 | 0 | 1",
        "{a: 1, b: 1}       | {b: 5}                           | 0 | 0 | 1 | 10",
        "{a: 'hashed'}      | {a: 5}                           | 1 | 0 | 0 | 1",
        "{a: 'hashed'}      | {a: {$gt: 5}}                    | 0 | 0 | 1 | 10",
      })
  void whatAFilterIsFor(String key, String filter, long one, long some, long all, long ranges) {
    QueryDistribution counts = over(key);
    counts.add(SampledQuery.read(Kind.FIND, RawDocument.parse(filter)));
    assertThat(counts.reads().single()).isEqualTo(one);
    assertThat(counts.reads().several()).isEqualTo(some);
    assertThat(counts.reads().scattered()).isEqualTo(all);
    assertThat(Arrays.stream(counts.reads().byRange()).sum()).isEqualTo(ranges);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{u: {a: 1}}                    | 1",
        "{i: {a: 1}}                    | 1",
        "{d: {a: false}}                | 1",
        "{u: {c: 1}}                    | 0",
        "{sb: {u: {c: 1}}}              | 1",
        "{sb: {u: {d: 1}}}              | 0",
        "{sb: {sc: {u: {d: 1}}}}        | 1",
        "{u: {b: {c: 1}}}               | 1",
      })
  void whatChangesAShardKey(String diff, long updates) {
    ShardKeyPattern key = ShardKeyPattern.of(RawDocument.parse("{a: 1, 'b.c': 1}"));
    var counts =
        new QueryDistribution(KeyRanges.of(key, List.of(), 10), QueryContext.of(() -> 0, () -> 0));
    counts.addDifference(RawDocument.parse(diff));
    assertThat(counts.shardKeyUpdates()).isEqualTo(updates);
  }

  @Test
  void samplesOfWritesHaveTheirStatements() {
    RawDocument sample =
        RawDocument.parse(
            "{cmdName: 'update', cmd: {update: 'c', updates: [{q: {a: 1}, u: {$set: {x: 1}}},"
                + " {q: {b: 1}, u: {$set: {x: 1}}, multi: true}]}}");
    assertThat(SampledQuery.ofSample(sample))
        .containsExactly(
            SampledQuery.write(Kind.UPDATE, RawDocument.parse("{a: 1}"), false),
            SampledQuery.write(Kind.UPDATE, RawDocument.parse("{b: 1}"), true));
    assertThat(SampledQuery.ofSample(RawDocument.parse("{cmdName: 'insert', cmd: {}}"))).isEmpty();
  }
}
