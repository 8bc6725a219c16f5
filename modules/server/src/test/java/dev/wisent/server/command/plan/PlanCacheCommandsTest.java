package dev.wisent.server.command.plan;

import static dev.wisent.server.harness.Replies.assertError;
import static dev.wisent.server.harness.Replies.assertOk;
import static dev.wisent.server.harness.Replies.number;
import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.server.harness.EmbeddedServer;
import java.util.List;
import java.util.stream.IntStream;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The plan cache as clients see it, and index filters. */
class PlanCacheCommandsTest {
  @RegisterExtension static final EmbeddedServer SERVER = new EmbeddedServer();

  @BeforeEach
  void fill() {
    var collection = SERVER.fresh("c");
    collection.insertMany(
        IntStream.range(0, 200)
            .mapToObj(i -> BsonDocument.parse("{a: %d, b: %d}".formatted(i % 10, i % 7)))
            .toList());
    collection.createIndex(BsonDocument.parse("{a: 1}"));
    collection.createIndex(BsonDocument.parse("{b: 1}"));
  }

  private static void find(String filter) {
    SERVER.run("{find: 'c', filter: " + filter + ", batchSize: 1000}");
  }

  private static List<BsonDocument> entries() {
    return SERVER
        .run("{aggregate: 'c', pipeline: [{$planCacheStats: {}}], cursor: {}}")
        .getDocument("cursor")
        .getArray("firstBatch")
        .stream()
        .map(BsonValue::asDocument)
        .toList();
  }

  private static BsonDocument planner(String filter) {
    return SERVER
        .run("{explain: {find: 'c', filter: " + filter + "}, verbosity: 'queryPlanner'}")
        .getDocument("queryPlanner");
  }

  private static long counter(String name) {
    return number(
        SERVER
            .run("{serverStatus: 1}")
            .getDocument("metrics")
            .getDocument("query")
            .getDocument("planCache")
            .getDocument("classic"),
        name);
  }

  @Test
  void serverStatusCountsUses() {
    long hits = counter("hits");
    long misses = counter("misses");
    long skipped = counter("skipped");
    for (int i = 0; i < 5; i++) {
      find("{a: 3, b: 5}");
    }
    find("{}");
    planner("{a: 3, b: 5}");
    assertThat(counter("misses") - misses).isEqualTo(2);
    assertThat(counter("hits") - hits).isEqualTo(3);
    assertThat(counter("skipped") - skipped).isEqualTo(1);
  }

  private static String indexOf(BsonDocument planner) {
    return planner
        .getDocument("winningPlan")
        .getDocument("inputStage")
        .getString("indexName")
        .getValue();
  }

  @Test
  void aRaceIsRemembered() {
    assertThat(entries()).isEmpty();
    find("{a: 3, b: 3}");
    List<BsonDocument> first = entries();
    assertThat(first).hasSize(1);
    BsonDocument entry = first.getFirst();
    assertThat(entry.keySet())
        .containsExactly(
            "version",
            "queryHash",
            "planCacheShapeHash",
            "planCacheKey",
            "isActive",
            "works",
            "worksType",
            "timeOfCreation",
            "createdFromQuery",
            "cachedPlan",
            "creationExecStats",
            "candidatePlanScores",
            "indexFilterSet",
            "estimatedSizeBytes",
            "host");
    assertThat(entry.getBoolean("isActive").getValue()).isFalse();
    assertThat(entry.getDocument("createdFromQuery"))
        .isEqualTo(BsonDocument.parse("{query: {a: 3, b: 3}, sort: {}, projection: {}}"));
    assertThat(entry.getDocument("cachedPlan").getString("stage").getValue()).isEqualTo("FETCH");
    assertThat(entry.getArray("creationExecStats")).hasSize(2);
    assertThat(entry.getArray("candidatePlanScores")).hasSize(2);
    BsonDocument planner = planner("{a: 5, b: 1}");
    assertThat(entry.get("queryHash")).isEqualTo(planner.get("queryHash"));
    assertThat(entry.get("planCacheKey")).isEqualTo(planner.get("planCacheKey"));
    find("{a: 3, b: 3}");
    assertThat(entries().getFirst().getBoolean("isActive").getValue()).isTrue();
  }

  @Test
  void clearing() {
    find("{a: 3, b: 3}");
    find("{a: 3, b: {$gt: 3}}");
    assertThat(entries()).hasSize(2);
    assertOk(SERVER.run("{planCacheClear: 'c', query: {a: 1, b: 1}}"));
    assertThat(entries()).hasSize(1);
    assertOk(SERVER.run("{planCacheClear: 'c'}"));
    assertThat(entries()).isEmpty();
    assertOk(SERVER.run("{planCacheClear: 'missing'}"));
  }

  @Test
  void anIndexFilterLimitsTheChoice() {
    String other = indexOf(planner("{a: 3, b: 3}")).equals("a_1") ? "b_1" : "a_1";
    assertOk(
        SERVER.run("{planCacheSetFilter: 'c', query: {a: 1, b: 1}, indexes: ['" + other + "']}"));
    BsonDocument limited = planner("{a: 7, b: 2}");
    assertThat(indexOf(limited)).isEqualTo(other);
    assertThat(limited.getBoolean("indexFilterSet").getValue()).isTrue();
    assertThat(limited.getArray("rejectedPlans")).isEmpty();
    assertThat(planner("{a: 7}").getBoolean("indexFilterSet").getValue()).isFalse();
    BsonArray filters = SERVER.run("{planCacheListFilters: 'c'}").getArray("filters");
    assertThat(filters)
        .containsExactly(
            BsonDocument.parse(
                "{query: {a: 1, b: 1}, sort: {}, projection: {}, indexes: ['" + other + "']}"));

    SERVER.run("{planCacheSetFilter: 'c', query: {a: 1, b: 1}, indexes: [{a: 1}]}");
    assertThat(indexOf(planner("{a: 7, b: 2}"))).isEqualTo("a_1");

    assertOk(SERVER.run("{planCacheClearFilters: 'c', query: {a: 1, b: 1}}"));
    assertThat(SERVER.run("{planCacheListFilters: 'c'}").getArray("filters")).isEmpty();
    assertThat(planner("{a: 7, b: 2}").getBoolean("indexFilterSet").getValue()).isFalse();
  }

  @Test
  void allFiltersGoAtOnce() {
    SERVER.run("{planCacheSetFilter: 'c', query: {a: 1}, sort: {b: 1}, indexes: [{a: 1}]}");
    SERVER.run("{planCacheSetFilter: 'c', query: {b: 1}, indexes: [{a: 1}]}");
    assertThat(SERVER.run("{planCacheListFilters: 'c'}").getArray("filters")).hasSize(2);
    SERVER.run("{planCacheClearFilters: 'c'}");
    assertThat(SERVER.run("{planCacheListFilters: 'c'}").getArray("filters")).isEmpty();
    assertThat(SERVER.run("{planCacheListFilters: 'missing'}").getArray("filters")).isEmpty();
    assertOk(SERVER.run("{planCacheClearFilters: 'missing'}"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {planCacheClear: 'c', sort: {a: 1}} | 2 | sort, projection, or collation provided without query
          {planCacheClear: 'c', query: 1} | 2 | required field query must be an object
          {planCacheClear: 'c', query: {}, sort: 1} | 2 | optional field sort must be an object
          {planCacheClear: 'c', query: {a: {$x: 1}}} | 2 | unknown operator: $x
          {planCacheClear: 'c', more: 1} | 40415 | BSON field 'planCacheClear.more' is an unknown field.
          {planCacheSetFilter: 'missing', query: {}, indexes: [{a: 1}]} | 2 | no such collection
          {planCacheSetFilter: 'c', query: {}} | 2 | required field indexes missing
          {planCacheSetFilter: 'c', query: {}, indexes: 1} | 2 | required field indexes must be an array
          {planCacheSetFilter: 'c', query: {}, indexes: []} | 2 | required field indexes must contain at least one index
          {planCacheSetFilter: 'c', query: {}, indexes: [1]} | 2 | each item in indexes must be an object or string
          {planCacheSetFilter: 'c', query: {}, indexes: [{}]} | 2 | index specification cannot be empty
          {planCacheSetFilter: 'c', indexes: [{a: 1}]} | 2 | required field query missing
          {planCacheClearFilters: 'c', projection: {a: 1}} | 2 | sort, projection, or collation provided without query
          {aggregate: 'missing', pipeline: [{$planCacheStats: {}}], cursor: {}} | 50933 | collection 'test.missing' does not exist
          {aggregate: 'c', pipeline: [{$planCacheStats: {x: 1}}], cursor: {}} | 9 | $planCacheStats parameters object may contain only 'allHosts' field. Found: x
          """)
  void errors(String command, int code, String message) {
    assertError(SERVER.fail(command), code, message);
  }
}
