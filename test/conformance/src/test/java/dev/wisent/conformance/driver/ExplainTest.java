package dev.wisent.conformance.driver;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.gte;
import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.ExplainVerbosity;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Aggregates;
import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.Sorts;
import java.util.List;
import java.util.stream.IntStream;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The driver's own explain. */
@ExtendWith(DriverFixture.Extension.class)
class ExplainTest {
  private static MongoCollection<Document> filled(DriverFixture fixture) {
    MongoCollection<Document> collection = fixture.collection("explained");
    collection.insertMany(
        IntStream.range(0, 100)
            .mapToObj(i -> new Document("_id", i).append("host", i % 4).append("at", i))
            .toList());
    collection.createIndex(Indexes.ascending("host", "at"));
    return collection;
  }

  @ParameterizedTest
  @EnumSource(ExplainVerbosity.class)
  void find(ExplainVerbosity verbosity, DriverFixture fixture) {
    Document reply =
        filled(fixture)
            .find(and(eq("host", 1), gte("at", 50)))
            .sort(Sorts.descending("at"))
            .explain(verbosity);
    Document winner = Plans.winner(reply);
    Document scan = winner.get("inputStage", Document.class);
    assertThat(winner.getString("stage")).isEqualTo("FETCH");
    assertThat(scan.getString("indexName")).isEqualTo("host_1_at_1");
    assertThat(scan.getString("direction")).isEqualTo("backward");
    assertThat(scan.get("indexBounds"))
        .isEqualTo(new Document("host", List.of("[1, 1]")).append("at", List.of("[inf.0, 50]")));
    Document stats = reply.get("executionStats", Document.class);
    if (verbosity == ExplainVerbosity.QUERY_PLANNER) {
      assertThat(stats).isNull();
    } else {
      assertThat(stats.getInteger("nReturned")).isEqualTo(12);
      assertThat(stats.getInteger("totalKeysExamined")).isEqualTo(12);
      assertThat(stats.getInteger("totalDocsExamined")).isEqualTo(12);
      assertThat(stats.containsKey("allPlansExecution"))
          .isEqualTo(verbosity == ExplainVerbosity.ALL_PLANS_EXECUTIONS);
    }
  }

  @Test
  void aggregate(DriverFixture fixture) {
    Document reply =
        filled(fixture)
            .aggregate(List.of(Aggregates.match(eq("host", 1)), Aggregates.count("n")))
            .explain(ExplainVerbosity.EXECUTION_STATS);
    List<Document> stages = reply.getList("stages", Document.class);
    Document plan = stages.getFirst().get("$cursor", Document.class);
    assertThat(plan.get("executionStats", Document.class).getInteger("nReturned")).isEqualTo(25);
    assertThat(stages.get(1)).containsKey("$group");
    assertThat(stages.getLast()).containsKey("$project");
    assertThat(stages.getLast().getLong("nReturned")).isEqualTo(1);
  }

  @Test
  void whatStagesUse(DriverFixture fixture) {
    Document reply =
        filled(fixture)
            .aggregate(
                List.of(
                    Document.parse("{$group: {_id: '$host', n: {$sum: 1}, all: {$push: '$_id'}}}"),
                    Document.parse(
                        "{$setWindowFields: {sortBy: {_id: 1}, output: {total: {$sum: '$n',"
                            + " window: {documents: ['unbounded', 'current']}}}}}")))
            .explain(ExplainVerbosity.EXECUTION_STATS);
    List<Document> stages = reply.getList("stages", Document.class);
    Document group = stages.get(1);
    assertThat(group.keySet())
        .containsExactly(
            "$group",
            "maxAccumulatorMemoryUsageBytes",
            "totalOutputDataSizeBytes",
            "usedDisk",
            "spills",
            "spilledDataStorageSize",
            "numBytesSpilledEstimate",
            "spilledRecords",
            "nReturned",
            "executionTimeMillisEstimate");
    assertThat(group.get("maxAccumulatorMemoryUsageBytes", Document.class).getLong("all"))
        .isPositive();
    assertThat(group.getLong("totalOutputDataSizeBytes")).isPositive();
    assertThat(group.getBoolean("usedDisk")).isFalse();
    assertThat(stages.get(2).keySet())
        .containsExactly(
            "$sort",
            "totalDataSizeSortedBytesEstimate",
            "usedDisk",
            "spills",
            "spilledDataStorageSize",
            "nReturned",
            "executionTimeMillisEstimate");
    assertThat(stages.get(2).getLong("totalDataSizeSortedBytesEstimate")).isPositive();
    assertThat(stages.get(3).keySet())
        .containsExactly(
            "$_internalSetWindowFields",
            "maxFunctionMemoryUsageBytes",
            "maxTotalMemoryUsageBytes",
            "usedDisk",
            "nReturned",
            "executionTimeMillisEstimate");
    assertThat(stages.get(3).get("maxFunctionMemoryUsageBytes", Document.class).getLong("total"))
        .isPositive();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void lookup(boolean indexed, DriverFixture fixture) {
    MongoCollection<Document> items = fixture.collection("items");
    items.insertMany(
        IntStream.range(0, 20).mapToObj(i -> new Document("_id", i).append("code", i)).toList());
    if (indexed) {
      items.createIndex(new Document("code", 1));
    }
    MongoCollection<Document> orders = fixture.collection("orders");
    orders.insertMany(
        IntStream.range(0, 3).mapToObj(i -> new Document("_id", i).append("item", i)).toList());
    Document reply =
        orders
            .aggregate(List.of(Aggregates.lookup("items", "item", "code", "found")))
            .explain(ExplainVerbosity.EXECUTION_STATS);
    Document stage = reply.getList("stages", Document.class).getLast();
    assertThat(stage).containsKey("$lookup").containsEntry("nReturned", 3L);
    assertThat(stage.getLong("totalDocsExamined")).isEqualTo(indexed ? 3 : 20);
    assertThat(stage.getLong("totalKeysExamined")).isBetween(indexed ? 3L : 0L, indexed ? 6L : 0L);
    assertThat(stage.getLong("collectionScans")).isEqualTo(indexed ? 0 : 1);
    assertThat(stage.getList("indexesUsed", String.class))
        .isEqualTo(indexed ? List.of("code_1") : List.of());
  }
}
