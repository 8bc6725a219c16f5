package dev.wisent.conformance.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.mongodb.ExplainVerbosity;
import com.mongodb.MongoCommandException;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.IndexOptions;
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

/** Text indexes and {@code $text}. */
@ExtendWith(DriverFixture.Extension.class)
class TextSearchTest {
  private static final Bson SCORE = Projections.metaTextScore("score");

  /** The example of MongoDB's manual, with the scores that it shows. */
  private static MongoCollection<Document> articles(DriverFixture fixture) {
    MongoCollection<Document> articles = fixture.collection("articles");
    articles.createIndex(Indexes.text("subject"));
    articles.insertMany(
        List.of(
            article(1, "coffee", "xyz", 50),
            article(2, "Coffee Shopping", "efg", 5),
            article(3, "Baking a cake", "abc", 90),
            article(4, "baking", "xyz", 100),
            article(5, "Café Con Leche", "abc", 200),
            article(6, "Сырники", "jkl", 80),
            article(7, "coffee and cream", "efg", 10),
            article(8, "Cafe con Leche", "xyz", 10)));
    return articles;
  }

  private static Document article(int id, String subject, String author, int views) {
    return new Document("_id", id)
        .append("subject", subject)
        .append("author", author)
        .append("views", views);
  }

  private static List<Integer> ids(Iterable<Document> documents) {
    var ids = new ArrayList<Integer>();
    documents.forEach(document -> ids.add(document.getInteger("_id")));
    return ids;
  }

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

  @Test
  void specificationsAreShownInFull(DriverFixture fixture) {
    MongoCollection<Document> collection = fixture.collection("specs");
    collection.createIndex(
        Indexes.compoundIndex(
            Indexes.ascending("a"),
            Indexes.text("title"),
            Indexes.text("body"),
            Indexes.descending("z")),
        new IndexOptions()
            .name("all")
            .weights(new Document("title", 10))
            .defaultLanguage("de")
            .languageOverride("lang"));
    assertThat(collection.listIndexes().into(new ArrayList<>()).getLast())
        .isEqualTo(
            Document.parse(
                """
                {v: 2, key: {a: 1, _fts: "text", _ftsx: 1, z: -1}, name: "all",
                 weights: {body: 1, title: 10}, default_language: "de", language_override: "lang",
                 textIndexVersion: 3}
                """));
    fixture.collection("simple").createIndex(Indexes.text());
    assertThat(
            fixture.collection("simple").listIndexes().into(new ArrayList<>()).getLast().toJson())
        .isEqualTo(
            Document.parse(
                    """
                    {v: 2, key: {_fts: "text", _ftsx: 1}, name: "$**_text",
                     weights: {"$**": 1}, default_language: "english",
                     language_override: "language", textIndexVersion: 3}
                    """)
                .toJson());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          {key: {a: "text", b: 1, c: "text"}}            | 67 | 'text' fields in index must all be adjacent
          {key: {a: "text", b: 2}}                       | 67 | expected value 1 or -1 for non-text key in compound index
          {key: {a: "text", b: "hashed"}}                | 67 | Can't use more than one index plugin for a single index.
          {key: {a: "text", _fts: 1}}                    | 67 | expecting _fts:"text"
          {key: {_fts: "text", a: 1}}                    | 67 | expected _ftsx after _fts
          {key: {_fts: "text", _ftsx: 1}}                | 67 | text index option 'weights' must specify fields or the wildcard
          {key: {_fts: 1}}                               | 67 | illegal field name
          {key: {a: "text"}, weights: {a: 0}}            | 67 | text index weight must be in the exclusive interval (0,100000) but found: 0
          {key: {a: "text"}, weights: {a: 100000}}       | 67 | text index weight must be in the exclusive interval (0,100000) but found: 100000
          {key: {a: "text"}, weights: {a: "x"}}          | 67 | weight for text index needs numeric type
          {key: {a: "text"}, weights: {"a..b": 1}}       | 67 | weight cannot have empty path component
          {key: {a: "text"}, weights: {"$a": 1}}         | 67 | weight cannot have path component with $ prefix
          {key: {a: "text"}, weights: {"": 1}}           | 67 | weight cannot be on an empty field
          {key: {a: "text"}, weights: "x"}               | 67 | text index option 'weights' must be an object
          {key: {a: "text"}, weights: 5}                 | 14 | The field 'weights' must be an object, but got int
          {key: {a: 1}, weights: {a: 1}}                 | 67 | the field 'weights' can only be specified with text indexes
          {key: {a: "text"}, default_language: "klingon"} | 67 | default_language is not valid
          {key: {a: "text"}, default_language: 1}        | 14 | The field 'default_language' must be a string, but got int
          {key: {a: "text"}, language_override: "a.b"}   | 67 | language_override is not valid
          {key: {a: "text"}, language_override: ""}      | 67 | language_override is not valid
          {key: {a: "text"}, textIndexVersion: 1}        | 67 | bad textIndexVersion: 1
          {key: {a: "text"}, textIndexVersion: "x"}      | 14 | The field 'textIndexVersion' must be a number, but got string
          """)
  void wrongSpecifications(String spec, int code, String message, DriverFixture fixture) {
    var command =
        new Document("createIndexes", "wrong")
            .append("indexes", List.of(Document.parse(spec).append("name", "x")));
    assertThatThrownBy(() -> fixture.database().runCommand(command))
        .isInstanceOfSatisfying(
            MongoCommandException.class,
            e -> {
              assertThat(e.getErrorMessage()).contains(message);
              assertThat(e.getErrorCode()).isEqualTo(code);
            });
  }

  @Test
  void oneTextIndexForACollection(DriverFixture fixture) {
    MongoCollection<Document> articles = articles(fixture);
    articles.createIndex(Indexes.text("subject"));
    assertRefused(
        () -> articles.createIndex(Indexes.text("other")),
        85,
        "An equivalent index already exists");
    assertRefused(
        () ->
            articles.createIndex(
                Indexes.compoundIndex(Indexes.ascending("author"), Indexes.text("other"))),
        67,
        "only one text index per collection allowed, found existing text index \"subject_text\"");
    assertRefused(
        () ->
            articles.createIndex(
                Indexes.text("subject"), new IndexOptions().defaultLanguage("german")),
        85,
        "same name but different options");
    articles.dropIndex("subject_text");
    articles.createIndex(Indexes.text("author"));
    assertThat(ids(articles.find(Filters.text("xyz")))).containsExactlyInAnyOrder(1, 4, 8);
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

  private static void assertRefused(Runnable action, int code, String message) {
    assertThatThrownBy(action::run)
        .isInstanceOfSatisfying(
            MongoCommandException.class,
            e -> {
              assertThat(e.getErrorMessage()).contains(message);
              assertThat(e.getErrorCode()).isEqualTo(code);
            });
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

  private static Document winner(MongoCollection<Document> collection, Bson filter, Bson fields) {
    return collection
        .find(filter)
        .projection(fields)
        .explain(ExplainVerbosity.QUERY_PLANNER)
        .get("queryPlanner", Document.class)
        .get("winningPlan", Document.class);
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
    Document stats =
        articles
            .find(Filters.text("coffee -shop"))
            .sort(Sorts.metaTextScore("s"))
            .explain(ExplainVerbosity.EXECUTION_STATS)
            .get("executionStats", Document.class);
    Document sort = stats.get("executionStages", Document.class);
    assertThat(stats.getInteger("nReturned")).isEqualTo(2);
    assertThat(stats.getInteger("totalKeysExamined")).isEqualTo(3);
    assertThat(sort.getString("stage")).isEqualTo("SORT");
    assertThat(sort.get("sortPattern"))
        .isEqualTo(Document.parse("{$computed0: {$meta: \"textScore\"}}"));
    assertThat(sort.get("inputStage", Document.class).getInteger("docsRejected")).isEqualTo(1);
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

  @Test
  void documentsInOtherLanguages(DriverFixture fixture) {
    MongoCollection<Document> quotes = fixture.collection("quotes");
    quotes.createIndex(Indexes.compoundIndex(Indexes.text("original"), Indexes.text("tr.quote")));
    quotes.insertOne(
        Document.parse(
            """
            {_id: 1, language: "portuguese", original: "A sorte protege os audazes.",
             tr: [{language: "english", quote: "Fortune favors the bold."},
                  {language: "spanish", quote: "La suerte protege a los audaces."}]}
            """));
    assertThat(ids(quotes.find(Filters.text("favoring")))).containsExactly(1);
    assertThat(
            ids(quotes.find(Filters.text("suertes", new TextSearchOptions().language("spanish")))))
        .containsExactly(1);
    assertThat(ids(quotes.find(Filters.text("the")))).isEmpty();
    assertThatThrownBy(
            () -> quotes.insertOne(new Document("language", "klingon").append("original", "x")))
        .hasMessageContaining("language override unsupported: klingon");
    assertThatThrownBy(() -> quotes.updateOne(Filters.eq("_id", 1), Updates.set("language", 5)))
        .hasMessageContaining("found language override field in document with non-string type");
    quotes.updateOne(Filters.eq("_id", 1), Updates.set("tr.0.language", "none"));
    assertThat(ids(quotes.find(Filters.text("favoring")))).isEmpty();
    assertThat(ids(quotes.find(Filters.text("favors", new TextSearchOptions().language("none")))))
        .containsExactly(1);
  }

  @Test
  void keysAndValidation(DriverFixture fixture) {
    MongoCollection<Document> articles = articles(fixture);
    articles.updateOne(Filters.eq("_id", 1), Updates.set("subject", "tea and biscuits"));
    articles.deleteOne(Filters.eq("_id", 2));
    Document reply =
        fixture.database().runCommand(new Document("validate", "articles").append("full", true));
    assertThat(reply.getBoolean("valid")).isTrue();
    assertThat(reply.get("keysPerIndex", Document.class).get("subject_text")).isEqualTo(14L);
    Document key = articles.find(Filters.text("tea")).returnKey(true).first();
    assertThat(key.getString("_fts")).isEqualTo("tea");
    assertThat(key.getDouble("_ftsx")).isCloseTo(0.75, within(1e-9));
  }

  @Test
  void partialAndHiddenIndexes(DriverFixture fixture) {
    MongoCollection<Document> articles = fixture.collection("partial");
    articles.createIndex(
        Indexes.text("t"), new IndexOptions().partialFilterExpression(Filters.gt("rating", 5)));
    articles.insertOne(new Document("_id", 1).append("t", "cat").append("rating", 9));
    articles.insertOne(new Document("_id", 2).append("t", "cat").append("rating", 1));
    assertThat(ids(articles.find(Filters.and(Filters.text("cat"), Filters.gt("rating", 6)))))
        .containsExactly(1);
    assertRefused(
        () -> articles.find(Filters.text("cat")).first(), 291, "failed to use text index");
    fixture
        .database()
        .runCommand(
            Document.parse("{collMod: \"partial\", index: {name: \"t_text\", hidden: true}}"));
    assertRefused(
        () -> articles.find(Filters.text("cat")).first(),
        291,
        "need exactly one text index for $text query");
  }
}
