package dev.wisent.conformance.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoCommandException;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.Projections;
import java.util.ArrayList;
import java.util.List;
import org.bson.Document;
import org.bson.conversions.Bson;

/** The collection that tests of text search ask, and what they ask with. */
final class TextArticles {
  static final Bson SCORE = Projections.metaTextScore("score");

  private TextArticles() {}

  /** The example of MongoDB's manual, with the scores that it shows. */
  static MongoCollection<Document> articles(DriverFixture fixture) {
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

  static List<Integer> ids(Iterable<Document> documents) {
    var ids = new ArrayList<Integer>();
    documents.forEach(document -> ids.add(document.getInteger("_id")));
    return ids;
  }

  static void assertRefused(Runnable action, int code, String message) {
    assertThatThrownBy(action::run)
        .isInstanceOfSatisfying(
            MongoCommandException.class,
            e -> {
              assertThat(e.getErrorMessage()).contains(message);
              assertThat(e.getErrorCode()).isEqualTo(code);
            });
  }
}
