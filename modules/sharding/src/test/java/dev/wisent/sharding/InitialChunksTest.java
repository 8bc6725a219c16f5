package dev.wisent.sharding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.operation.Namespace;
import java.util.List;
import java.util.Map;
import org.bson.types.ObjectId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InitialChunksTest {
  private static final ChunkVersion FIRST = new ChunkVersion(new ObjectId(), 7, 1, 0);

  private static InitialChunks initial(
      String key, int shards, Map<String, List<String>> shardsOfZone, ZoneRange... zones) {
    return new InitialChunks(
        new Namespace("db", "c"),
        ShardKeyPattern.of(RawDocument.parse(key)),
        FIRST,
        "s0",
        List.of("s0", "s1", "s2", "s3").subList(0, shards),
        List.of(zones),
        shardsOfZone);
  }

  private static ZoneRange zone(String name, String min, String max) {
    return new ZoneRange(new ChunkRange(RawDocument.parse(min), RawDocument.parse(max)), name);
  }

  /** The shards of the chunks; that these make a table is checked too. */
  private static String owners(InitialChunks initial, List<Chunk> chunks) {
    RoutingTable table = RoutingTable.of(initial.key(), FIRST, chunks);
    assertThat(table.chunkCount()).isEqualTo(chunks.size());
    assertThat(table.version()).isEqualTo(new ChunkVersion(FIRST.epoch(), 7, 1, chunks.size() - 1));
    return String.join(" ", chunks.stream().map(Chunk::shard).toList());
  }

  private static List<Long> hashes(List<Chunk> chunks) {
    return chunks.stream().skip(1).map(chunk -> chunk.range().min().get("a").toLong()).toList();
  }

  @Test
  void aRangedCollectionIsOneChunkOnThePrimaryShard() {
    InitialChunks initial = initial("{a: 1}", 3, Map.of());
    assertThat(owners(initial, initial.of(true, 0, false))).isEqualTo("s0");
    assertThat(owners(initial, initial.of(false, 0, false))).isEqualTo("s0");
    InitialChunks behindPrefix = initial("{b: 1, a: 'hashed'}", 3, Map.of());
    assertThat(owners(behindPrefix, behindPrefix.of(true, 0, false))).isEqualTo("s0");
    List<RawDocument> points = List.of(RawDocument.parse("{a: 1}"), RawDocument.parse("{a: 5}"));
    assertThat(owners(initial, initial.atPoints(points))).isEqualTo("s0 s0 s0");
  }

  @Test
  void hashesAreDividedEvenly() {
    InitialChunks four = initial("{a: 'hashed'}", 4, Map.of());
    List<Chunk> chunks = four.of(true, 0, false);
    assertThat(owners(four, chunks)).isEqualTo("s0 s1 s2 s3");
    assertThat(hashes(chunks)).containsExactly(-4611686018427387902L, 0L, 4611686018427387902L);
    InitialChunks three = initial("{a: 'hashed'}", 3, Map.of());
    assertThat(hashes(three.of(true, 0, false)))
        .containsExactly(-3074457345618258602L, 3074457345618258602L);
    InitialChunks one = initial("{a: 'hashed'}", 1, Map.of());
    assertThat(owners(one, one.of(true, 0, false))).isEqualTo("s0");
    assertThat(owners(four, four.of(false, 0, false))).isEqualTo("s0");
  }

  @Test
  void fieldsBehindTheHashBeginAtMinKey() {
    InitialChunks initial = initial("{a: 'hashed', b: 1}", 2, Map.of());
    assertThat(initial.of(true, 0, false).getLast().range().min())
        .isEqualTo(RawDocument.parse("{a: {$numberLong: '0'}, b: {$minKey: 1}}"));
  }

  @ParameterizedTest
  @CsvSource({
    "1, s0",
    "2, s0 s1",
    "4, s0 s0 s1 s1",
    "5, s0 s0 s1 s1 s0",
    "6, s0 s0 s0 s1 s1 s1",
  })
  void theNumberOfChunksMayBeGiven(int count, String shards) {
    InitialChunks initial = initial("{a: 'hashed'}", 2, Map.of());
    assertThat(owners(initial, initial.of(true, count, false))).isEqualTo(shards);
  }

  @Test
  void aNumberOfChunksNeedsHashesAndNoDocuments() {
    for (boolean empty : new boolean[] {true, false}) {
      InitialChunks initial = initial(empty ? "{a: 1}" : "{a: 'hashed'}", 2, Map.of());
      assertThatThrownBy(() -> initial.of(empty, 4, false))
          .isInstanceOf(CommandException.class)
          .hasMessageStartingWith("numInitialChunks is only supported")
          .satisfies(InitialChunksTest::isInvalidOption);
    }
  }

  private static void isInvalidOption(Throwable error) {
    assertThat(((CommandException) error).code()).isEqualTo(ErrorCode.INVALID_OPTIONS);
  }

  @Test
  void eachZoneAndEachGapIsAChunk() {
    InitialChunks initial =
        initial(
            "{a: 1}",
            3,
            Map.of("x", List.of("s1", "s2"), "y", List.of("s3")),
            zone("x", "{a: 0}", "{a: 10}"),
            zone("y", "{a: 10}", "{a: 20}"),
            zone("x", "{a: 30}", "{a: 40}"),
            zone("x", "{a: 50}", "{a: {$maxKey: 1}}"));
    assertThat(owners(initial, initial.of(true, 0, false))).isEqualTo("s0 s1 s3 s1 s2 s2 s1");
    assertThat(owners(initial, initial.of(false, 0, false))).isEqualTo("s0");
  }

  @Test
  void aZoneNeedsAShard() {
    InitialChunks initial = initial("{a: 1}", 3, Map.of(), zone("x", "{a: 0}", "{a: 10}"));
    assertThatThrownBy(() -> initial.of(true, 0, false))
        .hasMessage(
            "Cannot shard collection db.c due to zone x which is not assigned to a shard. Please"
                + " assign this zone to a shard.");
  }

  @Test
  void zonesAreDividedAmongTheirShards() {
    InitialChunks initial =
        initial(
            "{b: 1, a: 'hashed', c: 1}",
            2,
            Map.of("x", List.of("s1", "s2"), "y", List.of("s3")),
            zone(
                "x",
                "{b: 'DE', a: {$minKey: 1}, c: {$minKey: 1}}",
                "{b: 'FR', a: {$minKey: 1}, c: {$minKey: 1}}"),
            zone(
                "y",
                "{b: 'FR', a: {$minKey: 1}, c: {$minKey: 1}}",
                "{b: 'GB', a: {$minKey: 1}, c: {$minKey: 1}}"));
    List<Chunk> chunks = initial.of(true, 0, true);
    assertThat(owners(initial, chunks)).isEqualTo("s0 s1 s2 s3 s1");
    assertThat(chunks.get(2).range().min())
        .isEqualTo(RawDocument.parse("{b: 'DE', a: {$numberLong: '0'}, c: {$minKey: 1}}"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{a: 1} | {a: 0} | {a: 1} | 31387",
        "{a: 'hashed'} | {a: {$numberLong: '0'}} | {a: {$maxKey: 1}} | 31412",
        "{b: 1, a: 'hashed'} | {b: {$minKey: 1}, a: {$minKey: 1}} | {b: 1, a: {$minKey: 1}} |"
            + " 31388",
        "{b: 1, a: 'hashed'} | {b: 1, a: {$minKey: 1}} | {b: 1, a: {$maxKey: 1}} | 31390",
        "{b: 1, a: 'hashed'} | {b: 1, a: {$numberLong: '5'}} | {b: 2, a: {$minKey: 1}} | 31389",
        "{b: 1, a: 'hashed', c: 1} | {b: 1, a: {$minKey: 1}, c: 5} |"
            + " {b: 2, a: {$minKey: 1}, c: {$minKey: 1}} | 31391",
      })
  void refusesZonesThatCannotBeDivided(String key, String min, String max, int code) {
    InitialChunks initial = initial(key, 2, Map.of("x", List.of("s1")), zone("x", min, max));
    assertThatThrownBy(() -> initial.of(true, 0, true))
        .isInstanceOf(CommandException.class)
        .satisfies(e -> assertThat(((CommandException) e).code().code()).isEqualTo(code));
  }

  @Test
  void oneZoneOfAllHashesIsDivided() {
    InitialChunks initial =
        initial(
            "{a: 'hashed'}",
            2,
            Map.of("x", List.of("s1", "s3")),
            zone("x", "{a: {$minKey: 1}}", "{a: {$maxKey: 1}}"));
    assertThat(owners(initial, initial.of(true, 0, true))).isEqualTo("s1 s3");
    assertThatThrownBy(() -> initial.of(false, 0, true)).hasMessageStartingWith("'presplit");
  }
}
