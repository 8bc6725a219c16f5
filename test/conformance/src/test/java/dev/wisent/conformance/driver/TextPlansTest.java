package dev.wisent.conformance.driver;

import static dev.wisent.conformance.driver.TextArticles.SCORE;
import static dev.wisent.conformance.driver.TextArticles.articles;
import static dev.wisent.conformance.driver.TextArticles.assertRefused;
import static dev.wisent.conformance.driver.TextArticles.ids;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.ExplainVerbosity;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.Sorts;
import java.util.List;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How {@code $text} is answered, and what cannot be. */
@ExtendWith(DriverFixture.Extension.class)
class TextPlansTest {
  private static Document winner(MongoCollection<Document> collection, Bson filter, Bson fields) {
    return Plans.winner(
        collection.find(filter).projection(fields).explain(ExplainVerbosity.QUERY_PLANNER));
  }

  @Test
  void plansWithoutScores(DriverFixture fixture) {
    MongoCollection<Document> articles = articles(fixture);
    Document one = winner(articles, Filters.text("coffee"), null);
    assertThat(one.toJson())
        .isEqualTo(
            Document.parse(
                    """
                    {isCached: false, stage: "TEXT_MATCH", indexPrefix: {}, indexName: "subject_text",
                     parsedTextQuery: {terms: ["coffe"], negatedTerms: [], phrases: [],
                       negatedPhrases: []},
                     textIndexVersion: 3,
                     inputStage: {stage: "FETCH",
                       inputStage: {stage: "IXSCAN", keyPattern: {_fts: "text", _ftsx: 1},
                         indexName: "subject_text", isMultiKey: true, isUnique: false,
                         isSparse: false, isPartial: false, indexVersion: 2,
                         direction: "backward", indexBounds: {}}}}
                    """)
                .toJson());
    Document two =
        winner(
            articles,
            Filters.and(Filters.text("\"a cake\" -bread -\"no salt\""), Filters.gt("views", 1)),
            null);
    assertThat(two.getString("stage")).isEqualTo("FETCH");
    assertThat(two.get("filter")).isEqualTo(Document.parse("{views: {$gt: 1}}"));
    Document match = two.get("inputStage", Document.class);
    assertThat(match.get("parsedTextQuery"))
        .isEqualTo(
            Document.parse(
                """
                {terms: ["cake"], negatedTerms: ["bread"], phrases: ["a cake"],
                 negatedPhrases: ["no salt"]}
                """));
    Document several = winner(articles, Filters.text("coffee cake"), null);
    assertThat(several.getEmbedded(List.of("inputStage", "inputStage", "stage"), String.class))
        .isEqualTo("OR");
    Document none = winner(articles, Filters.text("the"), null);
    assertThat(none.getEmbedded(List.of("inputStage", "stage"), String.class)).isEqualTo("EOF");
  }

  @Test
  void plansWithScores(DriverFixture fixture) {
    MongoCollection<Document> articles = articles(fixture);
    Document plan = winner(articles, Filters.text("coffee shop"), SCORE);
    assertThat(plan.getString("stage")).isEqualTo("PROJECTION_DEFAULT");
    Document or = plan.getEmbedded(List.of("inputStage", "inputStage"), Document.class);
    assertThat(or.getString("stage")).isEqualTo("TEXT_OR");
    assertThat(or.getList("inputStages", Document.class))
        .hasSize(2)
        .allMatch(scan -> scan.getString("stage").equals("IXSCAN"));
    Document explained =
        articles
            .find(Filters.text("coffee -shop"))
            .sort(Sorts.metaTextScore("s"))
            .explain(ExplainVerbosity.EXECUTION_STATS);
    Document stats = explained.get("executionStats", Document.class);
    Document sort = Plans.executed(explained);
    assertThat(stats.getInteger("nReturned")).isEqualTo(2);
    assertThat(stats.getInteger("totalKeysExamined")).isEqualTo(3);
    assertThat(sort.getString("stage")).isEqualTo("SORT");
    assertThat(sort.get("sortPattern"))
        .isEqualTo(Document.parse("{$computed0: {$meta: \"textScore\"}}"));
    assertThat(sort.get("inputStage", Document.class).getInteger("docsRejected")).isEqualTo(1);
  }

  /** The keys of one term have the best first; those of several have to be added up. */
  @Test
  void theBestOfOneTermAreFoundWithoutTheOthers(DriverFixture fixture) {
    MongoCollection<Document> many = fixture.collection("many");
    many.createIndex(Indexes.text("t"));
    for (int i = 0; i < 50; i++) {
      many.insertOne(new Document("_id", i).append("t", "word" + " filler".repeat(i % 10)));
    }
    Document one = executed(many, "word").get("executionStats", Document.class);
    assertThat(one.getInteger("totalKeysExamined")).isEqualTo(3);
    assertThat(one.getInteger("totalDocsExamined")).isEqualTo(3);
    Document explained = executed(many, "word filler");
    Document two = explained.get("executionStats", Document.class);
    assertThat(two.getInteger("totalKeysExamined")).isEqualTo(50 + 45);
    assertThat(two.getInteger("totalDocsExamined")).isEqualTo(3);
    Document or =
        Plans.executed(explained).getEmbedded(List.of("inputStage", "inputStage"), Document.class);
    Document scan = or.getList("inputStages", Document.class).getLast();
    assertThat(scan.getInteger("keysExamined")).isEqualTo(50);
    assertThat(scan.getInteger("nReturned")).isEqualTo(50);
    assertThat(scan.getInteger("works")).isEqualTo(51);
    assertThat(scan.getInteger("dupsTested")).isEqualTo(50);
  }

  private static Document executed(MongoCollection<Document> collection, String search) {
    return collection
        .find(Filters.text(search))
        .sort(Sorts.metaTextScore("s"))
        .limit(3)
        .explain(ExplainVerbosity.EXECUTION_STATS);
  }

  @Test
  void compoundIndexes(DriverFixture fixture) {
    MongoCollection<Document> collection = fixture.collection("compound");
    collection.createIndex(
        Indexes.compoundIndex(
            Indexes.ascending("shop"), Indexes.text("t"), Indexes.descending("price")));
    for (int i = 0; i < 30; i++) {
      collection.insertOne(
          new Document("_id", i).append("shop", i % 3).append("t", "big box").append("price", i));
    }
    collection.insertOne(new Document("_id", 100).append("t", "big box"));
    Bson inShop = Filters.and(Filters.eq("shop", 1), Filters.text("box"));
    assertThat(ids(collection.find(inShop))).hasSize(10).allMatch(id -> id % 3 == 1);
    assertThat(ids(collection.find(Filters.and(inShop, Filters.gt("price", 20)))))
        .containsExactlyInAnyOrder(22, 25, 28);
    assertThat(ids(collection.find(Filters.and(Filters.eq("shop", null), Filters.text("box")))))
        .containsExactly(100);
    assertThatThrownBy(
            () -> collection.insertOne(new Document("shop", List.of(1)).append("t", "x")))
        .hasMessageContaining("Field 'shop' of text index contains an array in document: ");
    Document plan = winner(collection, Filters.and(inShop, Filters.gt("price", 20)), null);
    assertThat(plan.getString("stage")).isEqualTo("TEXT_MATCH");
    assertThat(plan.get("indexPrefix")).isEqualTo(new Document("shop", 1));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          {find: "articles", filter: {$nor: [{$text: {$search: "a"}}]}}                           | 2   | text expression not allowed in nor
          {find: "articles", filter: {$and: [{$text: {$search: "a"}}, {$text: {$search: "a"}}]}}  | 2   | Too many text expressions
          {find: "articles", filter: {a: {$elemMatch: {$text: {$search: "a"}}}}}                  | 2   | $text can only be applied to the top-level document
          {find: "articles", filter: {$text: {$search: "a"}}, hint: "_id_"}                       | 2   | text and hint not allowed in same query
          {find: "articles", filter: {$text: {$search: "a"}}, hint: {$natural: 1}}                | 2   | text and hint not allowed in same query
          {find: "articles", filter: {$text: {$search: "a"}}, sort: {$natural: 1}}                | 2   | text expression not allowed with $natural sort order
          {find: "articles", filter: {$text: {$search: "a"}, p: {$near: [0, 0]}}}                 | 2   | text and geoNear not allowed in same query
          {create: "validated", validator: {$text: {$search: "a"}}}                               | 2   | $text is not allowed in this context
          {createIndexes: "articles", indexes: [{key: {b: 1}, name: "b", partialFilterExpression: {$text: {$search: "a"}}}]} | 2 | $text is not allowed in this context
          {find: "articles", filter: {$text: {$search: "a", $language: "x"}}}                     | 2   | unsupported language: "x" for text index version 3
          {find: "articles", filter: {$text: {$search: 1}}}                                       | 14  | "$search" had the wrong type. Expected string, found int
          {find: "articles", filter: {$or: [{$text: {$search: "a"}}, {x: 1}]}}                    | 291 | Failed to produce a solution for TEXT under OR
          {find: "plain", filter: {$text: {$search: "a"}}}                                        | 27  | text index required for $text query
          {find: "missing", filter: {$text: {$search: "a"}}}                                      | 27  | text index required for $text query (no such collection 'driver_tests.missing')
          {count: "plain", query: {$text: {$search: "a"}}}                                        | 27  | text index required for $text query
          {distinct: "plain", key: "a", query: {$text: {$search: "a"}}}                           | 27  | text index required for $text query
          {delete: "plain", deletes: [{q: {$text: {$search: "a"}}, limit: 0}]}                    | 27  | text index required for $text query
          {find: "articles", projection: {s: {$meta: "textScore"}}}                               | 40218 | query requires text score metadata, but it is not available
          {find: "articles", filter: {_id: 1}, projection: {s: {$meta: "textScore"}}}             | 40218 | query requires text score metadata, but it is not available
          {find: "articles", sort: {s: {$meta: "textScore"}}}                                     | 40218 | query requires text score metadata, but it is not available
          {find: "prefixed", filter: {$text: {$search: "a"}}}                                     | 291 | failed to use text index to satisfy $text query (if text index is compound, are equality predicates given for all prefix fields?)
          {find: "prefixed", filter: {a: {$gt: 1}, $text: {$search: "a"}}}                        | 291 | failed to use text index to satisfy $text query
          {aggregate: "articles", pipeline: [{$limit: 1}, {$project: {s: {$meta: "textScore"}}}], cursor: {}} | 40218 | query requires text score metadata, but it is not available
          {aggregate: "articles", pipeline: [{$sort: {s: {$meta: "textScore"}}}], cursor: {}}     | 40218 | query requires text score metadata, but it is not available
          {aggregate: "articles", pipeline: [{$limit: 1}, {$match: {$text: {$search: "a"}}}], cursor: {}} | 17313 | $match with $text is only allowed as the first pipeline stage
          """)
  void wrongQueries(String command, int code, String message, DriverFixture fixture) {
    articles(fixture);
    fixture.database().createCollection("plain");
    fixture
        .collection("prefixed")
        .createIndex(Indexes.compoundIndex(Indexes.ascending("a"), Indexes.text("t")));
    Document parsed = Document.parse(command);
    if (parsed.containsKey("delete")) {
      Document reply = fixture.database().runCommand(parsed);
      Document error = reply.getList("writeErrors", Document.class).getFirst();
      assertThat(error.getInteger("code")).isEqualTo(code);
      assertThat(error.getString("errmsg")).contains(message);
    } else {
      assertRefused(() -> fixture.database().runCommand(parsed), code, message);
    }
  }
}
