package dev.wisent.sharding;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.RawDocument;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.context.QueryContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.bson.types.ObjectId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShardTargeterTest {
  private static final ChunkVersion FIRST = new ChunkVersion(new ObjectId(), 42, 1, 0);

  /** A table whose chunks begin at the bounds, on shards s0, s1, and so on. */
  private static ShardTargeter targeter(String pattern, String... bounds) {
    ShardKeyPattern key = ShardKeyPattern.of(RawDocument.parse(pattern));
    var chunks = new ArrayList<Chunk>();
    RawDocument min = key.globalMin();
    for (int i = 0; i <= bounds.length; i++) {
      RawDocument max = i == bounds.length ? key.globalMax() : RawDocument.parse(bounds[i]);
      chunks.add(new Chunk(new ChunkRange(min, max), "s" + i, FIRST, false));
      min = max;
    }
    return new ShardTargeter(RoutingTable.of(key, FIRST, chunks));
  }

  private static ShardTargets targets(ShardTargeter targeter, String filter) {
    return targeter.ofFilter(RawDocument.parse(filter), QueryContext.of(() -> 0, () -> 0));
  }

  private static String names(ShardTargets targets) {
    return String.join(" ", targets.shards().stream().sorted().toList());
  }

  /** Shards: s0 below 10, s1 from 10 to 20, s2 from 20 to 30, s3 above. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{} | s0 s1 s2 s3",
        "{a: 10} | s1",
        "{a: {$eq: 9.5}} | s0",
        "{a: {$gte: 10, $lt: 20}} | s1",
        "{a: {$gt: 10, $lte: 20}} | s1 s2",
        "{a: {$lt: 10}} | s0",
        "{a: {$gte: 25}} | s2 s3",
        "{a: {$in: [5, 25]}} | s0 s2",
        "{a: {$in: []}} | s0",
        "{$or: [{a: 5}, {a: {$gt: 30}}]} | s0 s3",
        "{$or: [{a: 5}, {b: 1}]} | s0 s1 s2 s3",
        "{$or: [{a: 5}, {b: 1}], a: {$lt: 20}} | s0 s1",
        "{$and: [{a: {$gte: 10}}, {a: {$lt: 15}}]} | s1",
        "{$and: [{$or: [{a: 5}, {a: 15}]}, {$or: [{a: 15}, {a: 25}]}]} | s1",
        "{$and: [{a: {$gte: 10}}, {$or: [{a: 5}, {a: 15}, {a: 45}]}]} | s1 s3",
        "{a: {$gt: 20, $lt: 10}} | s0",
        "{a: null} | s0",
        "{a: {$exists: false}} | s0",
        "{a: 'x'} | s3",
        "{a: {$ne: 15}} | s0 s1 s2 s3",
        "{a: {$not: {$gte: 10}}} | s0 s3",
        "{$nor: [{a: 5}]} | s0 s1 s2 s3",
        "{$expr: {$eq: ['$a', 15]}} | s1",
        "{$expr: {$and: [{$gte: ['$a', 20]}, {$lt: ['$a', 30]}]}} | s2",
        "{b: 5} | s0 s1 s2 s3",
        "{a: {$type: 'string'}} | s3",
        "{a: {$maxKey: 1}} | s3",
        "{a: {$minKey: 1}} | s0",
      },
      quoteCharacter = '`')
  void targetsRanges(String filter, String shards) {
    ShardTargeter targeter = targeter("{a: 1}", "{a: 10}", "{a: 20}", "{a: 30}");
    assertThat(names(targets(targeter, filter))).isEqualTo(shards);
  }

  /** Shards: s0 below (1, 5), s1 up to (1, 9), s2 up to (2, 3), s3 above. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{a: 1, b: 4} | s0",
        "{a: 1, b: 5} | s1",
        "{a: 1} | s0 s1 s2",
        "{a: 2} | s2 s3",
        "{a: {$in: [0, 2]}, b: 1} | s0 s2",
        "{a: {$in: [1, 2]}, b: {$in: [6, 1]}} | s0 s1 s2 s3",
        "{a: 1, b: {$gt: 5, $lt: 8}} | s1",
        "{a: {$gte: 2}, b: 1} | s2 s3",
        "{b: 5} | s0 s1 s2 s3",
        "{a: 1, b: {$exists: false}} | s0",
      },
      quoteCharacter = '`')
  void targetsCompoundKeysByTheirPrefix(String filter, String shards) {
    ShardTargeter targeter =
        targeter("{a: 1, b: 1}", "{a: 1, b: 5}", "{a: 1, b: 9}", "{a: 2, b: 3}");
    assertThat(names(targets(targeter, filter))).isEqualTo(shards);
  }

  /** Shards: s0 below all of 1, s1 has 1 and all below 2, s2 the rest. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{a: 1} | s1",
        "{a: 2} | s2",
        "{a: {$gte: 1}} | s1 s2",
        "{a: {$gt: 1}} | s1 s2",
        "{a: {$gte: 2}} | s2",
        "{a: {$lt: 2}} | s0 s1",
        "{a: {$gte: 1, $lt: 2}} | s1",
        "{a: {$in: [1, 2]}} | s1 s2",
      },
      quoteCharacter = '`')
  void aChunkThatBeginsWithAValueIsNotTheOneBefore(String filter, String shards) {
    String least = "b: {$minKey: 1}, c: {$minKey: 1}}";
    ShardTargeter targeter = targeter("{a: 1, b: 1, c: 1}", "{a: 1, " + least, "{a: 2, " + least);
    assertThat(names(targets(targeter, filter))).isEqualTo(shards);
  }

  @Test
  void targetsOnlyPointsOfHashes() {
    ShardTargeter targeter =
        targeter(
            "{a: 'hashed'}",
            "{a: {$numberLong: '-4000000000000000000'}}",
            "{a: {$numberLong: '0'}}");
    for (int i = 0; i < 20; i++) {
      String shard = targeter.ofDocument(RawDocument.parse("{a: " + i + "}"));
      assertThat(targets(targeter, "{a: " + i + "}").shards()).containsExactly(shard);
      assertThat(targets(targeter, "{a: {$in: [" + i + "]}}").isExact()).isTrue();
    }
    assertThat(targets(targeter, "{a: {$gte: 1, $lte: 2}}").shards()).hasSize(3);
    assertThat(targets(targeter, "{a: {$exists: false}}").shards())
        .containsExactly(targeter.ofDocument(RawDocument.EMPTY));
  }

  @Test
  void targetsFieldsInDocuments() {
    ShardTargeter targeter = targeter("{'a.b': 1}", "{'a.b': 10}");
    assertThat(names(targets(targeter, "{'a.b': 5}"))).isEqualTo("s0");
    assertThat(names(targets(targeter, "{a: {b: 15, c: 1}}"))).isEqualTo("s1");
    assertThat(targets(targeter, "{a: {b: 15, c: 1}}").isExact()).isTrue();
    assertThat(names(targets(targeter, "{a: {c: 1}}"))).isEqualTo("s0");
    assertThat(names(targets(targeter, "{a: {$gt: {b: 1}}}"))).isEqualTo("s0 s1");
  }

  @Test
  void knowsFiltersThatFixTheWholeKey() {
    ShardTargeter targeter = targeter("{a: 1, b: 1}", "{a: 1, b: 5}");
    ShardKeyPattern key = ShardKeyPattern.of(RawDocument.parse("{a: 1, b: 1}"));
    for (String filter :
        new String[] {
          "{a: 1, b: 7}",
          "{b: 7.0, a: 1, c: {$gt: 3}}",
          "{$and: [{a: {$eq: 1}}, {b: 7}]}",
          "{$or: [{a: 1, b: 7}]}",
          "{a: {$in: [1]}, b: {$gte: 7, $lte: 7}}"
        }) {
      ShardTargets targets = targets(targeter, filter);
      assertThat(targets.key()).as(filter).isEqualTo(key.encode(RawDocument.parse("{a: 1, b: 7}")));
      assertThat(targets.shards()).containsExactly("s1");
    }
    assertThat(targets(targeter, "{a: 1}").isExact()).isFalse();
    assertThat(targets(targeter, "{a: 1, b: {$in: [1, 2]}}").isExact()).isFalse();
  }

  @Test
  void aCollationKeepsStringsFromBeingTargeted() {
    ShardTargeter targeter = targeter("{a: 1}", "{a: 'm'}");
    var german =
        QueryContext.of(() -> 0, () -> 0)
            .withCollation(Collation.parse(RawDocument.parse("{locale: 'de', strength: 1}")));
    assertThat(targeter.ofFilter(RawDocument.parse("{a: 'x'}"), german).shards()).hasSize(2);
    assertThat(targeter.ofFilter(RawDocument.parse("{a: {$in: ['x', 1]}}"), german).shards())
        .hasSize(2);
    assertThat(targeter.ofFilter(RawDocument.parse("{a: 5}"), german).shards())
        .containsExactly("s0");
    assertThat(targeter.ofFilter(RawDocument.parse("{a: {$lt: 5}}"), german).shards())
        .containsExactly("s0");
  }

  @Test
  void manyCombinationsAreLookedUpByThePrefixAlone() {
    ShardTargeter targeter = targeter("{a: 1, b: 1, c: 1}", "{a: 500, b: 0, c: 0}");
    var many = new StringBuilder("0");
    for (int i = 1; i < 400; i++) {
      many.append(", ").append(i);
    }
    String filter = "{a: {$in: [%s]}, b: {$in: [%s]}, c: {$in: [%s]}}".formatted(many, many, many);
    assertThat(targets(targeter, filter).shards()).isEqualTo(Set.of("s0"));
  }

  @Test
  void documentsGoWhereTheirKeyIs() {
    ShardTargeter targeter = targeter("{a: 1}", "{a: 10}");
    for (String document : List.of("{}", "{a: null}", "{a: 9}")) {
      assertThat(targeter.ofDocument(RawDocument.parse(document))).isEqualTo("s0");
    }
    assertThat(targeter.ofDocument(RawDocument.parse("{a: 'x'}"))).isEqualTo("s1");
  }
}
