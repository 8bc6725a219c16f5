package dev.wisent.conformance.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.mongodb.MongoCommandException;
import com.mongodb.client.MongoDatabase;
import java.util.List;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Stages that tell about the server and what it holds. */
@ExtendWith(DriverFixture.Extension.class)
class DiagnosticStagesTest {
  private static List<Document> aggregate(
      MongoDatabase database, String collection, String stages) {
    Object of = collection.isEmpty() ? Integer.valueOf(1) : collection;
    var command =
        new Document("aggregate", of)
            .append("pipeline", Document.parse("{v: [" + stages + "]}").get("v"))
            .append("cursor", new Document());
    return database
        .runCommand(command)
        .get("cursor", Document.class)
        .getList("firstBatch", Document.class);
  }

  @Test
  void listCatalogShowsWhatIsStored(DriverFixture fixture) {
    fixture.database().getCollection("c").insertOne(new Document("a", List.of(1, 2)));
    fixture.database().getCollection("c").createIndex(new Document("a", 1));
    List<Document> entries = aggregate(fixture.database(), "c", "{$listCatalog: {}}");
    assertThat(entries).hasSize(1);
    assertThat(entries.getFirst())
        .containsEntry("name", "c")
        .containsEntry("type", "collection")
        .containsEntry("ns", fixture.database().getName() + ".c");
    List<Document> indexes =
        entries.getFirst().get("md", Document.class).getList("indexes", Document.class);
    assertThat(indexes)
        .extracting(index -> index.getBoolean("multikey"))
        .containsExactly(false, true);
    assertThat(
            aggregate(
                fixture.client().getDatabase("admin"),
                "",
                "{$listCatalog: {}}, {$match: {name: 'c'}}"))
        .isNotEmpty();
  }

  @Test
  void listClusterCatalogShowsCollectionsAndViews(DriverFixture fixture) {
    fixture.database().createCollection("c");
    fixture.database().createView("v", "c", List.of());
    assertThat(
            aggregate(
                fixture.database(),
                "",
                "{$listClusterCatalog: {}}, {$match: {ns: {$not: /system/}}}, {$sort: {ns: 1}}"))
        .extracting(entry -> entry.getString("type"))
        .containsExactly("collection", "view");
  }

  @Test
  void listSessionsShowsThoseOfTheNode(DriverFixture fixture) {
    assertThat(
            aggregate(
                fixture.client().getDatabase("config"),
                "system.sessions",
                "{$listSessions: {allUsers: true}}"))
        .isNotEmpty();
  }

  @Test
  void noQueryHasSettings(DriverFixture fixture) {
    assertThat(
            aggregate(
                fixture.client().getDatabase("admin"),
                "",
                "{$querySettings: {showDebugQueryShape: true}}"))
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          ``| {$listCatalog: {}}                   | 73
          c | {$listCatalog: {x: 1}}               | 6200600
          c | {$listCatalog: 1}                    | 6200600
          c | {$collStats: 1}                      | 5447000
          c | {$indexStats: {x: 1}}                | 28803
          c | {$indexStats: 1}                     | 28803
          c | {$planCacheStats: 1}                 | 9
          c | {$currentOp: 1}                      | 14
          c | {$currentOp: {}}                     | 73
          ``| {$currentOp: {}}                     | 73
          c | {$listLocalSessions: 1}              | 14
          c | {$listLocalSessions: {}}             | 73
          c | {$querySettings: 1}                  | 7746801
          c | {$listSessions: {}}                  | 73
          ``| {$querySettings: {}}                 | 73
          c | {$listClusterCatalog: {}}            | 9621301
          c | {$match: {}}, {$listCatalog: {}}     | 40602
          c | {$facet: {x: [{$listCatalog: {}}]}}  | 40600
          c | {$queryStats: {}}                    | 238
          c | {$operationMetrics: {}}              | 238
          c | {$search: {}}                        | 31082
          c | {$nonsense: {}}                      | 40324
          c | {}                                   | 40323
          c | {$match: {}, $limit: 1}              | 40323
          c | {$out: 'x'}, {$match: {}}            | 40601
          c | {$facet: {x: [{$out: 'y'}]}}         | 40600
          c | {$facet: {x: [{$facet: {y: []}}]}}   | 40600
          ``| {$match: {}}                         | 73
          """)
  void refuses(String collection, String stages, int code, DriverFixture fixture) {
    fixture.database().createCollection("c");
    MongoCommandException e =
        catchThrowableOfType(
            MongoCommandException.class, () -> aggregate(fixture.database(), collection, stages));
    assertThat(e.getErrorCode()).isEqualTo(code);
  }
}
