package dev.wisent.conformance.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.mongodb.MongoCommandException;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.bson.Document;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Stages that tell about the server, in the pipelines of other stages. */
@ExtendWith(DriverFixture.Extension.class)
class DiagnosticSubPipelineTest {
  @BeforeEach
  void fill(DriverFixture fixture) {
    fixture
        .collection("c")
        .insertMany(IntStream.range(0, 3).mapToObj(i -> new Document("_id", i)).toList());
    fixture.collection("d").insertOne(new Document("_id", 9));
    fixture.collection("d").createIndex(new Document("a", 1));
  }

  private static List<Document> run(MongoCollection<Document> over, String... stages) {
    return over.aggregate(List.of(stages).stream().map(Document::parse).toList())
        .into(new ArrayList<>());
  }

  @Test
  void unionsWithFigures(DriverFixture fixture) {
    assertThat(
            run(
                fixture.collection("c"),
                "{$match: {_id: 1}}",
                "{$unionWith: {coll: 'd', pipeline: [{$collStats: {count: {}}},"
                    + " {$project: {_id: 0, ns: 1, count: 1}}]}}",
                "{$unionWith: {coll: 'd', pipeline: [{$indexStats: {}}, {$sort: {name: 1}},"
                    + " {$project: {name: 1}}]}}"))
        .containsExactly(
            Document.parse("{_id: 1}"),
            new Document("ns", "driver_tests.d").append("count", 1L),
            Document.parse("{name: '_id_'}"),
            Document.parse("{name: 'a_1'}"));
  }

  @Test
  void figuresAreFoundOutInLaterBatchesToo(DriverFixture fixture) {
    Document union =
        Document.parse("{$unionWith: {coll: 'd', pipeline: [{$collStats: {count: {}}}]}}");
    List<Document> all =
        fixture.collection("c").aggregate(List.of(union)).batchSize(1).into(new ArrayList<>());
    assertThat(all).hasSize(4);
    assertThat(all.getLast()).containsEntry("count", 1L);
  }

  @Test
  void joinsWithFigures(DriverFixture fixture) {
    List<Document> joined =
        run(
            fixture.collection("c"),
            "{$lookup: {from: 'd', as: 'x', let: {id: '$_id'}, pipeline: [{$indexStats: {}},"
                + " {$sort: {name: 1}}, {$project: {_id: 0, name: 1, of: '$$id'}}]}}");
    assertThat(joined).hasSize(3);
    assertThat(joined.getLast().getList("x", Document.class))
        .containsExactly(
            Document.parse("{name: '_id_', of: 2}"), Document.parse("{name: 'a_1', of: 2}"));
  }

  @Test
  void joinsWithTheCatalog(DriverFixture fixture) {
    Document joined =
        run(
                fixture.collection("c"),
                "{$limit: 1}",
                "{$lookup: {from: 'd', as: 'x', pipeline: [{$listCatalog: {}}]}}",
                "{$unwind: '$x'}",
                "{$project: {name: '$x.name'}}")
            .getFirst();
    assertThat(joined).containsEntry("name", "d");
  }

  @Test
  void joinsWithSessions(DriverFixture fixture) {
    MongoDatabase config = fixture.client().getDatabase("config");
    config.getCollection("diagnostic").insertOne(new Document("_id", 1));
    try {
      List<Document> joined =
          run(
              config.getCollection("diagnostic"),
              "{$lookup: {from: 'system.sessions', as: 'x',"
                  + " pipeline: [{$listSessions: {allUsers: true}}]}}");
      assertThat(joined.getFirst().getList("x", Document.class)).isNotEmpty();
    } finally {
      config.getCollection("diagnostic").drop();
    }
  }

  @Test
  void aViewMayBeginWithFigures(DriverFixture fixture) {
    fixture
        .database()
        .createView("counted", "c", List.of(Document.parse("{$collStats: {count: {}}}")));
    assertThat(run(fixture.collection("counted"), "{$project: {count: 1}}"))
        .containsExactly(new Document("count", 3L));
  }

  @Test
  void explainShowsThem(DriverFixture fixture) {
    Document union =
        Document.parse("{$unionWith: {coll: 'd', pipeline: [{$indexStats: {}}, {$limit: 1}]}}");
    String explained = fixture.collection("c").aggregate(List.of(union)).explain().toJson();
    assertThat(explained).contains("\"pipeline\": [{\"$indexStats\": {}}, {\"$limit\": 1}]");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {$lookup: {from: 'd', as: 'x', pipeline: [{$match: {}}, {$collStats: {}}]}} \
          | 40602 | $collStats is only valid as the first stage in a pipeline
          {$lookup: {from: 'd', as: 'x', localField: 'a', foreignField: 'a', pipeline: [{$indexStats: {}}]}} \
          | 40602 | $indexStats is only valid as the first stage in a pipeline
          {$lookup: {from: 'd', as: 'x', pipeline: [{$currentOp: {}}]}} \
          | 73 | $currentOp must be run against the 'admin' database with {aggregate: 1}
          {$unionWith: {coll: 'd', pipeline: [{$currentOp: {}}]}} \
          | 73 | $currentOp must be run against the 'admin' database with {aggregate: 1}
          {$unionWith: {coll: 'd', pipeline: [{$listLocalSessions: {}}]}} \
          | 73 | $listLocalSessions must be run against the database with {aggregate: 1}, not a collection
          {$unionWith: {coll: 'd', pipeline: [{$listClusterCatalog: {}}]}} \
          | 9621301 | The $listClusterCatalog stage must run on a database, not a collection.
          {$lookup: {from: 'd', as: 'x', pipeline: [{$listSessions: {}}]}} \
          | 73 | $listSessions may only be run against config.system.sessions
          {$lookup: {from: 'd', as: 'x', pipeline: [{$out: 'y'}]}} \
          | 51047 | $out is not allowed within a $lookup's sub-pipeline
          {$unionWith: {coll: 'd', pipeline: [{$merge: 'y'}]}} \
          | 31441 | $merge is not allowed within a $unionWith's sub-pipeline
          {$unionWith: {pipeline: [{$indexStats: {}}]}} \
          | 9 | $unionWith stage without explicit collection must have a pipeline with $documents as first stage
          {$lookup: {as: 'x', pipeline: [{$collStats: {}}]}} \
          | 9 | $lookup stage without explicit collection must have a pipeline with $documents as first stage
          {$facet: {x: [{$indexStats: {}}]}} \
          | 40600 | $indexStats is not allowed to be used within a $facet stage
          {$facet: {x: [{$lookup: {from: 'd', as: 'y', pipeline: [{$collStats: {}}]}}]}} \
          | 40600 | $collStats inside of $lookup is not allowed to be used within a $facet stage
          {$facet: {x: [{$unionWith: {coll: 'd', pipeline: [{$lookup: {as: 'y', pipeline: [{$documents: []}]}}]}}]}} \
          | 40600 | $documents inside of $lookup is not allowed to be used within a $facet stage
          {$facet: {x: [{$unionWith: {coll: 'd', pipeline: [{$facet: {y: []}}]}}]}} \
          | 40600 | $facet inside of $unionWith is not allowed to be used within a $facet stage
          {$facet: {x: [{$documents: []}]}} \
          | 40600 | $documents is not allowed to be used within a $facet stage
          """)
  void refuses(String stage, int code, String message, DriverFixture fixture) {
    MongoCommandException e =
        catchThrowableOfType(
            MongoCommandException.class, () -> run(fixture.collection("c"), stage));
    assertThat(e).as(stage).isNotNull();
    assertThat(e.getErrorMessage()).endsWith(message);
    assertThat(e.getErrorCode()).isEqualTo(code);
  }
}
