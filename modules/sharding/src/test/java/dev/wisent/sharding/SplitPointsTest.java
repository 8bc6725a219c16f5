package dev.wisent.sharding;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.bson.types.ObjectId;
import org.junit.jupiter.api.Test;

class SplitPointsTest {
  private static RawDocument key(String field, RawValue value) {
    return new BsonBuilder().append(field, value).toDocument();
  }

  private static ShardKeyPattern by(String field) {
    return ShardKeyPattern.of(key(field, RawValue.ofInt32(1)));
  }

  /** Counts the documents of sorted integer keys. */
  private static List<Long> points(long limit, int pointsMax, int... keys) {
    var points = new SplitPoints(by("age"), limit, pointsMax);
    for (int key : keys) {
      if (!points.add(key("age", RawValue.ofInt32(key)), 1)) {
        break;
      }
    }
    return points.points().stream().map(point -> point.get("age").toLong()).toList();
  }

  @Test
  void everyKeyBehindTheLimitIsAPoint() {
    assertThat(points(2, 0, 1, 2, 3, 4, 5, 6, 7, 8)).containsExactly(3L, 6L);
    assertThat(points(3, 0, 1, 2, 3)).isEmpty();
    assertThat(points(1, 0, 1, 2, 3)).containsExactly(2L);
    assertThat(points(1, 0)).isEmpty();
  }

  @Test
  void documentsWithOneKeyStayTogether() {
    assertThat(points(2, 0, 5, 5, 5, 5, 5, 5)).isEmpty();
    assertThat(points(2, 0, 5, 5, 5, 5, 7, 7, 7, 7)).containsExactly(7L);
    assertThat(points(2, 0, 1, 2, 5, 5, 5, 5, 5, 9)).containsExactly(5L, 9L);
  }

  @Test
  void givesNoMoreThanAreWanted() {
    assertThat(points(1, 1, 1, 2, 3, 4, 5)).containsExactly(2L);
    assertThat(points(1, 2, 1, 2, 3, 4, 5, 6)).containsExactly(2L, 4L);
  }

  @Test
  void sizesCountAsWellAsNumbers() {
    var points = new SplitPoints(by("age"), SplitPoints.limitOf(1000), 0);
    int[] sizes = {400, 100, 10, 10, 700, 10, 10};
    for (int i = 0; i < sizes.length; i++) {
      assertThat(points.add(key("age", RawValue.ofInt32(i)), sizes[i])).isTrue();
    }
    assertThat(points.points())
        .containsExactly(key("age", RawValue.ofInt32(2)), key("age", RawValue.ofInt32(5)));
    assertThat(SplitPoints.countOf(1024 * 1024, 80)).isEqualTo(6553);
    assertThat(SplitPoints.countOf(10, 80)).isEqualTo(1);
  }

  /** The chunk of a book: users of 4 to 7 years, split once in its middle. */
  @Test
  void aChunkOfAgesSplitsInItsMiddleAndNowhereElse() {
    assertThat(points(4 / 2, 1, 4, 5, 6, 7)).containsExactly(6L);
    // Whatever the limit, one split leaves two neighbours.
    assertThat(points(1, 1, 4, 4, 6, 6)).containsExactly(6L);
    assertThat(points(1, 1, 4, 4)).isEmpty();
  }

  /** The ages of eight users, and the chunks of a book. */
  @Test
  void eightUsersLieInTheChunksOfTheirAges() {
    ShardKeyPattern age = by("age");
    var users =
        Map.of(
            "joe",
            4,
            "paul",
            23,
            "simon",
            17,
            "widdly",
            16,
            "scuds",
            95,
            "grill",
            18,
            "flavored",
            55,
            "bertango",
            73);
    var version = new ChunkVersion(new ObjectId(), 1, 1, 0);
    var bounds = List.of(4, 8, 15, 26, 50, 80);
    var chunks = new ArrayList<Chunk>();
    RawDocument min = age.globalMin();
    for (int bound : bounds) {
      RawDocument max = key("age", RawValue.ofInt32(bound));
      chunks.add(new Chunk(new ChunkRange(min, max), "to " + bound, version, false));
      min = max;
    }
    chunks.add(new Chunk(new ChunkRange(min, age.globalMax()), "rest", version, false));
    RoutingTable table = RoutingTable.of(age, version, chunks);
    var owners = new TreeMap<String, Set<String>>();
    users.forEach(
        (name, years) ->
            owners
                .computeIfAbsent(
                    table.shardOf(age.encode(key("age", RawValue.ofInt32(years)))),
                    shard -> new TreeSet<>())
                .add(name));
    assertThat(owners.get("to 26")).containsExactly("grill", "paul", "simon", "widdly");
    assertThat(owners.get("to 8")).containsExactly("joe");
  }

  /** A key with seven values makes seven chunks at most, however many documents there are. */
  @Test
  void continentsAreABadKey() {
    var continents = new TreeMap<String, Integer>();
    continents.put("Africa", 15);
    continents.put("Antarctica", 1);
    continents.put("Asia", 20);
    continents.put("Australia", 5);
    continents.put("Europe", 30);
    continents.put("North America", 20);
    continents.put("South America", 10);
    int count = continents.values().stream().mapToInt(Integer::intValue).sum();
    assertThat(continentPoints(continents, count / 2, 1)).containsExactly("Europe");
    assertThat(continentPoints(continents, 1, 0)).hasSizeLessThanOrEqualTo(6);
    // More documents of one continent change nothing, until its keys differ.
    continents.put("Asia", 500);
    assertThat(continentPoints(continents, 100, 0)).doesNotHaveDuplicates();
    assertThat(continentPoints(new TreeMap<>(Map.of("Asia", 1000)), 100, 0)).isEmpty();
    assertThat(continentPoints(new TreeMap<>(Map.of("Asia", 1000, "Asia, Japan", 1)), 100, 0))
        .containsExactly("Asia, Japan");
  }

  private static List<String> continentPoints(
      Map<String, Integer> continents, long limit, int pointsMax) {
    var points = new SplitPoints(by("continent"), limit, pointsMax);
    boolean more = true;
    for (var entry : continents.entrySet()) {
      RawDocument key = key("continent", RawValue.ofString(entry.getKey()));
      for (int i = 0; more && i < entry.getValue(); i++) {
        more = points.add(key, 1);
      }
    }
    return points.points().stream().map(point -> point.get("continent").asString()).toList();
  }
}
