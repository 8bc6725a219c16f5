package dev.wisent.conformance.driver;

import static dev.wisent.conformance.driver.TextArticles.articles;
import static dev.wisent.conformance.driver.TextArticles.assertRefused;
import static dev.wisent.conformance.driver.TextArticles.ids;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.mongodb.MongoCommandException;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.TextSearchOptions;
import com.mongodb.client.model.Updates;
import java.util.ArrayList;
import java.util.List;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What text indexes can be, and what is in them. */
@ExtendWith(DriverFixture.Extension.class)
class TextIndexTest {
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
    assertThat(Plans.keys(reply, "subject_text")).isEqualTo(14);
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
