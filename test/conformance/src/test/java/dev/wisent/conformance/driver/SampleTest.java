package dev.wisent.conformance.driver;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.ExplainVerbosity;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Aggregates;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Projections;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.stream.IntStream;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Random documents as clients ask for them. */
@ExtendWith(DriverFixture.Extension.class)
class SampleTest {
  private static MongoCollection<Document> numbers(DriverFixture fixture) {
    MongoCollection<Document> collection = fixture.collection("numbers");
    collection.insertMany(
        IntStream.range(0, 1000).mapToObj(i -> new Document("_id", i).append("n", -i)).toList());
    return collection;
  }

  private static List<Document> stages(MongoCollection<Document> collection, Bson... pipeline) {
    return Plans.pipeline(
        collection.aggregate(List.of(pipeline)).explain(ExplainVerbosity.EXECUTION_STATS));
  }

  @Test
  void comesInBatches(DriverFixture fixture) {
    var sample =
        numbers(fixture)
            .aggregate(List.of(Aggregates.sample(50), Aggregates.project(Projections.include("n"))))
            .batchSize(7)
            .into(new ArrayList<>());
    assertThat(new HashSet<>(sample)).hasSize(50);
    assertThat(sample).allMatch(one -> one.getInteger("n") == -one.getInteger("_id"));
  }

  @Test
  void explainsWhereASmallSampleComesFrom(DriverFixture fixture) {
    List<Document> stages = stages(numbers(fixture), Aggregates.sample(10));
    assertThat(stages).hasSize(2);
    Document cursor = stages.getFirst().get("$cursor", Document.class);
    assertThat(Plans.winner(cursor)).containsEntry("stage", "MULTI_ITERATOR");
    assertThat(cursor.get("executionStats", Document.class).getInteger("nReturned")).isEqualTo(10);
    assertThat(stages.getLast())
        .containsEntry("$sampleFromRandomCursor", new Document("size", 10L))
        .containsEntry("nReturned", 10L);
  }

  @Test
  void looksAtAllForALargeSampleAndBehindAFilter(DriverFixture fixture) {
    MongoCollection<Document> numbers = numbers(fixture);
    assertThat(stages(numbers, Aggregates.sample(51)).getLast()).containsKey("$sample");
    assertThat(
            stages(numbers, Aggregates.match(Filters.lt("n", 0)), Aggregates.sample(1)).getLast())
        .containsKey("$sample");
  }
}
