package dev.wisent.bench.store;

import java.util.List;
import org.bson.BsonDocument;

/**
 * One question in both languages, with an answer of few rows.
 *
 * @param pipeline what MongoDB's protocol takes
 * @param sql the same in one statement
 */
public record Analysis(String collection, List<BsonDocument> pipeline, String sql) {
  public Analysis {
    pipeline = List.copyOf(pipeline);
  }

  /**
   * @param stages each in JSON
   */
  public static Analysis of(String collection, String sql, String... stages) {
    return new Analysis(
        collection, List.of(stages).stream().map(BsonDocument::parse).toList(), sql);
  }
}
