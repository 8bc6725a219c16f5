package dev.wisent.conformance.driver;

import static dev.wisent.conformance.driver.TextArticles.SCORE;
import static dev.wisent.conformance.driver.TextArticles.articles;
import static dev.wisent.conformance.driver.TextArticles.ids;
import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoCursor;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.Projections;
import com.mongodb.client.model.Sorts;
import com.mongodb.client.model.TextSearchOptions;
import com.mongodb.client.model.Updates;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code $text} finds, and how well it fits. */
@ExtendWith(DriverFixture.Extension.class)
class TextSearchTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          coffee             |    | false | false | 1,2,7
          bake coffee cake   |    | false | false | 1,2,3,4,7
          "coffee shop"      |    | false | false | 2
          coffee -shop       |    | false | false | 1,7
          -shop              |    | false | false |
          leche              | es | false | false | 5,8
          сы́рники CAFÉS      |    | false | false | 5,6,8
          Coffee             |    | true  | false | 2
          "Café Con Leche"   |    | true  | false | 5
          CAFÉ               |    | false | true  | 5
          leche              | none | false | false |
          the and            |    | false | false |
          nothing            |    | false | false |
          """)
  void searches(
      String search,
      String language,
      boolean caseSensitive,
      boolean diacriticSensitive,
      String expected,
      DriverFixture fixture) {
    var options =
        new TextSearchOptions().caseSensitive(caseSensitive).diacriticSensitive(diacriticSensitive);
    if (language != null) {
      options.language(language);
    }
    Bson filter = Filters.text(search, options);
    List<Integer> ids =
        expected == null
            ? List.of()
            : Stream.of(expected.split(",")).map(Integer::valueOf).toList();
    MongoCollection<Document> articles = articles(fixture);
    assertThat(ids(articles.find(filter))).containsExactlyInAnyOrderElementsOf(ids);
    assertThat(ids(articles.find(filter).projection(SCORE)))
        .containsExactlyInAnyOrderElementsOf(ids);
    assertThat(articles.countDocuments(filter)).isEqualTo(ids.size());
    assertThat(ids(articles.find(filter).sort(Sorts.ascending("_id")))).isEqualTo(ids);
    if (ids.isEmpty()) {
      return;
    }
    articles.updateMany(filter, Updates.set("hit", true));
    assertThat(ids(articles.find(Filters.eq("hit", true)).sort(Sorts.ascending("_id"))))
        .isEqualTo(ids);
    assertThat(articles.deleteMany(filter).getDeletedCount()).isEqualTo(ids.size());
    assertThat(articles.countDocuments(filter)).isZero();
  }

  @Test
  void scores(DriverFixture fixture) {
    List<Document> found =
        articles(fixture)
            .find(Filters.text("coffee"))
            .projection(SCORE)
            .sort(Sorts.metaTextScore("anything"))
            .into(new ArrayList<>());
    assertThat(ids(found).getFirst()).isEqualTo(1);
    assertThat(found.stream().map(one -> one.getDouble("score")).toList())
        .containsExactly(1.0, 0.75, 0.75);
    assertThat(found.getFirst().keySet())
        .containsExactly("_id", "subject", "author", "views", "score");
  }

  @Test
  void scoresOfSeveralTermsAddUp(DriverFixture fixture) {
    List<Document> found =
        articles(fixture)
            .find(Filters.text("coffee shop cake"))
            .projection(
                Projections.fields(Projections.include("subject"), Projections.excludeId(), SCORE))
            .sort(Sorts.orderBy(Sorts.metaTextScore("score"), Sorts.ascending("subject")))
            .limit(3)
            .into(new ArrayList<>());
    assertThat(found)
        .containsExactly(
            new Document("subject", "Coffee Shopping").append("score", 1.5),
            new Document("subject", "coffee").append("score", 1.0),
            new Document("subject", "Baking a cake").append("score", 0.75));
  }

  @Test
  void sortedByScoreWithoutBeingShown(DriverFixture fixture) {
    MongoCollection<Document> articles = articles(fixture);
    List<Document> found =
        articles
            .find(Filters.and(Filters.text("coffee shop"), Filters.gt("views", 5)))
            .sort(Sorts.metaTextScore("score"))
            .into(new ArrayList<>());
    assertThat(ids(found)).containsExactly(1, 7);
    assertThat(found.getFirst()).doesNotContainKey("$textScore").doesNotContainKey("score");
    Document changed =
        articles.findOneAndUpdate(
            Filters.text("coffee shop"),
            Updates.set("best", true),
            new FindOneAndUpdateOptions().sort(Sorts.metaTextScore("score")));
    assertThat(changed.getInteger("_id")).isEqualTo(2);
    assertThat(ids(articles.find(Filters.eq("best", true)))).containsExactly(2);
    assertThat(articles.find(Filters.eq("_id", 2)).first()).doesNotContainKey("$textScore");
  }

  @Test
  void manyBatches(DriverFixture fixture) {
    MongoCollection<Document> many = fixture.collection("many");
    var documents = new ArrayList<Document>();
    for (int i = 0; i < 500; i++) {
      documents.add(new Document("_id", i).append("t", "word" + " filler".repeat(i % 50)));
    }
    many.insertMany(documents);
    many.createIndex(Indexes.text("t"));
    assertThat(ids(many.find(Filters.text("word")).batchSize(7))).hasSize(500);
    assertThat(ids(many.find(Filters.text("word filler")).projection(SCORE).batchSize(7)))
        .hasSize(500)
        .doesNotHaveDuplicates();
    assertThat(ids(many.find(Filters.text("word")).sort(Sorts.metaTextScore("s")).batchSize(7)))
        .hasSize(500)
        .isSortedAccordingTo(Comparator.comparingInt(id -> id % 50));
  }

  /** What changes between two batches neither comes twice nor stays away. */
  @ParameterizedTest
  @ValueSource(strings = {"word", "word filler"})
  void changesBetweenBatches(String search, DriverFixture fixture) {
    MongoCollection<Document> many = fixture.collection("many");
    many.createIndex(Indexes.text("t"));
    for (int i = 0; i < 30; i++) {
      many.insertOne(new Document("_id", i).append("t", "word" + " filler".repeat(i)));
    }
    var found = new ArrayList<Integer>();
    try (MongoCursor<Document> cursor =
        many.find(Filters.text(search)).sort(Sorts.metaTextScore("s")).batchSize(5).cursor()) {
      for (int i = 0; i < 5; i++) {
        found.add(cursor.next().getInteger("_id"));
      }
      int last = found.getFirst() == 0 ? 29 : 0;
      many.updateOne(
          Filters.eq("_id", found.get(2)), Updates.set("t", "word" + " other".repeat(15)));
      many.deleteOne(Filters.eq("_id", last));
      many.updateOne(Filters.eq("_id", 14), Updates.set("t", "nothing"));
      cursor.forEachRemaining(document -> found.add(document.getInteger("_id")));
      assertThat(found).hasSize(28).doesNotHaveDuplicates().doesNotContain(last, 14);
    }
  }

  @Test
  void disjunctions(DriverFixture fixture) {
    MongoCollection<Document> articles = articles(fixture);
    articles.createIndex(Indexes.ascending("views"));
    Bson either = Filters.or(Filters.text("coffee"), Filters.gte("views", 100));
    assertThat(ids(articles.find(either))).containsExactlyInAnyOrder(1, 2, 7, 4, 5);
    assertThat(ids(articles.find(Filters.and(either, Filters.eq("author", "xyz")))))
        .containsExactlyInAnyOrder(1, 4);
    List<Document> scored = articles.find(either).projection(SCORE).into(new ArrayList<>());
    assertThat(scored).hasSize(5).filteredOn(one -> one.containsKey("score")).hasSize(3);
  }

  /** What both branches find has its score, in whichever order they stand. */
  @Test
  void disjunctionsKeepScores(DriverFixture fixture) {
    MongoCollection<Document> articles = articles(fixture);
    articles.createIndex(Indexes.ascending("views"));
    Bson search = Filters.text("coffee");
    Bson views = Filters.gte("views", 0);
    for (Bson either : List.of(Filters.or(views, search), Filters.or(search, views))) {
      for (Bson filter : List.of(either, Filters.and(Filters.gte("_id", 0), either))) {
        assertThat(articles.find(filter).projection(SCORE).into(new ArrayList<>()))
            .hasSize(8)
            .filteredOn(one -> one.containsKey("score"))
            .extracting(one -> one.getInteger("_id"))
            .containsExactlyInAnyOrder(1, 2, 7);
      }
    }
    assertThat(
            articles
                .find(Filters.or(Filters.eq("_id", 2), Filters.text("coffee shop")))
                .projection(SCORE)
                .sort(Sorts.metaTextScore("score"))
                .first())
        .containsEntry("_id", 2)
        .containsEntry("score", 1.5);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {update: {$set: {subject: 'tea'}}}            | {_id: 2, subject: 'Coffee Shopping', score: 1.5}
          {update: {$set: {subject: 'tea'}}, new: true} | {_id: 2, subject: 'tea', score: 1.5}
          {remove: true}                                | {_id: 2, subject: 'Coffee Shopping', score: 1.5}
          """)
  void scoresOfFindAndModify(String change, String expected, DriverFixture fixture) {
    var command =
        new Document("findAndModify", articles(fixture).getNamespace().getCollectionName())
            .append("query", new Document("$text", new Document("$search", "coffee shop")))
            .append("sort", new Document("score", new Document("$meta", "textScore")))
            .append(
                "fields",
                new Document("subject", 1).append("score", new Document("$meta", "textScore")));
    command.putAll(Document.parse(change));
    Document answer = fixture.database().runCommand(command);
    assertThat(answer.get("value")).isEqualTo(Document.parse(expected));
  }

  /** The pipelines of MongoDB's manual. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          [{$match: {$text: {$search: "coffee"}}}, {$sort: {_id: 1}}, {$project: {_id: 1}}]                                                        | [{_id: 1}, {_id: 2}, {_id: 7}]
          [{$match: {$text: {$search: "coffee shop"}}}, {$sort: {s: {$meta: "textScore"}}}, {$limit: 2}, {$project: {views: 1}}]                   | [{_id: 2, views: 5}, {_id: 1, views: 50}]
          [{$match: {$text: {$search: "coffee shop"}}}, {$sort: {s: {$meta: "textScore"}, _id: 1}}, {$project: {_id: 0, s: {$meta: "textScore"}}}] | [{s: 1.5}, {s: 1.0}, {s: 0.75}]
          [{$match: {$text: {$search: "coffee shop"}}}, {$project: {views: 1, s: {$meta: "textScore"}}}, {$match: {s: {$gt: 0.9}}}, {$sort: {s: 1}}] | [{_id: 1, views: 50, s: 1.0}, {_id: 2, views: 5, s: 1.5}]
          [{$match: {$text: {$search: "coffee shop"}}}, {$project: {views: 1}}, {$sort: {s: {$meta: "textScore"}, _id: 1}}, {$project: {_id: 1}}]  | [{_id: 2}, {_id: 1}, {_id: 7}]
          [{$match: {$text: {$search: "coffee shop"}}}, {$project: {subject: 0, author: 0}}, {$project: {views: 0, s: {$meta: "textScore"}}}, {$sort: {_id: 1}}] | [{_id: 1, s: 1.0}, {_id: 2, s: 1.5}, {_id: 7, s: 0.75}]
          [{$match: {$text: {$search: "coffee shop"}}}, {$sort: {s: {$meta: "textScore"}}}, {$limit: 1}, {$addFields: {"x.s": {$meta: "textScore"}}}, {$project: {x: 1, t: {$multiply: [2, {$meta: "textScore"}]}}}] | [{_id: 2, x: {s: 1.5}, t: 3.0}]
          [{$match: {$text: {$search: "shopping"}}}, {$replaceWith: {a: "$$ROOT", s: {$meta: "textScore"}}}, {$project: {"a.subject": 0, "a.author": 0}}] | [{a: {_id: 2, views: 5}, s: 0.75}]
          [{$match: {$text: {$search: "coffee"}}}, {$count: "n"}]                                                                                  | [{n: 3}]
          """)
  void pipelines(String pipeline, String expected, DriverFixture fixture) {
    List<Document> stages = Document.parse("{p: " + pipeline + "}").getList("p", Document.class);
    List<Document> wanted = Document.parse("{p: " + expected + "}").getList("p", Document.class);
    assertThat(articles(fixture).aggregate(stages).into(new ArrayList<>())).isEqualTo(wanted);
  }
}
