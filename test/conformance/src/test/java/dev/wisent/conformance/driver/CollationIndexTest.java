package dev.wisent.conformance.driver;

import static dev.wisent.conformance.driver.Collations.LOOSE;
import static dev.wisent.conformance.driver.Collations.SIMPLE;
import static dev.wisent.conformance.driver.Collations.filled;
import static dev.wisent.conformance.driver.Collations.ids;
import static dev.wisent.conformance.driver.Collations.json;
import static dev.wisent.conformance.driver.Collations.list;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.mongodb.MongoCommandException;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Collation;
import com.mongodb.client.model.CreateCollectionOptions;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.UpdateOptions;
import java.util.List;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What clients see of the collations of indexes. */
@ExtendWith(DriverFixture.Extension.class)
class CollationIndexTest {
  @Test
  void uniqueIndexes(DriverFixture fixture) {
    MongoCollection<Document> collection = fixture.collection("c");
    collection.createIndex(json("{a: 1}"), new IndexOptions().unique(true).collation(LOOSE));
    collection.insertOne(Document.parse("{_id: 1, a: 'foo'}"));
    Document reply =
        fixture
            .database()
            .runCommand(Document.parse("{insert: 'c', documents: [{_id: 2, a: 'FOO'}]}"));
    Document error = reply.getList("writeErrors", Document.class).getFirst();
    assertThat(error.getString("errmsg"))
        .startsWith(
            "E11000 duplicate key error collection: driver_tests.c index: a_1 collation: { locale:"
                + " \"en_US\", ")
        .matches(".* dup key: \\{ a: \"0x[0-9a-f]+\" \\}");
    assertThat(error.get("keyPattern")).isEqualTo(new Document("a", 1));
    assertThat(error.get("keyValue", Document.class).getString("a")).matches("0x[0-9a-f]+");
    assertThat(error.get("collation", Document.class).getString("locale")).isEqualTo("en_US");
    assertThat(
            collection
                .updateOne(
                    json("{a: 'Foo'}"),
                    json("{$set: {b: 1}}"),
                    new UpdateOptions().upsert(true).collation(LOOSE))
                .getMatchedCount())
        .isOne();
  }

  /** Plans: which index can be used for what. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {filter: {a: 'foo'}}                                        | loose | FETCH,IXSCAN
          {filter: {a: 'foo'}}                                        | simple | COLLSCAN
          {filter: {a: 'foo'}}                                        | strict | COLLSCAN
          {filter: {a: {b: 1}}}                                       | simple | COLLSCAN
          {filter: {a: [1]}}                                          | simple | COLLSCAN
          {filter: {a: {$in: [1, 'foo']}}}                            | simple | COLLSCAN
          {filter: {a: {$in: [1, 2]}}}                                | simple | FETCH,IXSCAN
          {filter: {a: 5}}                                            | simple | FETCH,IXSCAN
          {filter: {a: {$gte: 5, $lt: 7}}}                            | strict | FETCH,IXSCAN
          {filter: {a: {$exists: true}}}                              | strict | FETCH,IXSCAN
          {filter: {a: /^f/}}                                         | loose | FETCH,IXSCAN
          {filter: {a: 5}, projection: {_id: 0, a: 1}}                | strict | PROJECTION_COVERED,IXSCAN
          {filter: {a: 'foo'}, projection: {_id: 0, a: 1}}            | loose | PROJECTION_SIMPLE,FETCH,IXSCAN
          {filter: {a: {$gte: 'foo'}}, sort: {a: 1}}                  | loose | FETCH,IXSCAN
          {filter: {a: {$gte: 5}}, sort: {a: -1}}                     | simple | FETCH,IXSCAN
          {filter: {a: {$exists: true}}, sort: {a: 1}}                | loose | FETCH,IXSCAN
          {filter: {a: {$exists: true}}, sort: {a: 1}}                | strict | SORT,FETCH,IXSCAN
          {filter: {}, sort: {a: 1}}                                  | strict | SORT,COLLSCAN
          {filter: {}, sort: {a: 1}}                                  | loose | FETCH,IXSCAN
          """)
  void plans(String query, String collation, String stages, DriverFixture fixture) {
    MongoCollection<Document> collection = fixture.collection("c");
    collection.createIndex(json("{a: 1}"), new IndexOptions().collation(LOOSE));
    collection.insertOne(Document.parse("{a: 'foo'}"));
    Document find = new Document("find", "c");
    find.putAll(Document.parse(query));
    find.put(
        "collation",
        switch (collation) {
          case "loose" -> Document.parse("{locale: 'en_US', strength: 2}");
          case "strict" -> Document.parse("{locale: 'en_US'}");
          default -> Document.parse("{locale: 'simple'}");
        });
    Document explained = fixture.database().runCommand(new Document("explain", find));
    assertThat(Plans.planner(explained).containsKey("collation"))
        .isEqualTo(!collation.equals("simple"));
    Document winner = Plans.winner(explained);
    assertThat(String.join(",", Plans.stages(winner))).isEqualTo(stages);
    if (stages.endsWith("IXSCAN")) {
      assertThat(Plans.scan(winner).getEmbedded(List.of("collation", "strength"), 0)).isEqualTo(2);
    }
  }

  /** Several scans of one index are merged by the keys that it has. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {n: {$in: [1, 2]}}                          | LOOSE  | true
          {n: {$in: [1, 2]}}                          | SIMPLE | false
          {$or: [{n: 1}, {n: 2, word: {$gte: 'A'}}]}  | LOOSE  | true
          """)
  void mergedScans(String filter, String collation, boolean merged, DriverFixture fixture) {
    MongoCollection<Document> collection = fixture.collection("c");
    collection.createIndex(json("{n: 1, word: 1}"), new IndexOptions().collation(LOOSE));
    List<String> words = List.of("b", "C", "a", "D", "B2", "c2", "A2", "d2");
    for (int i = 0; i < words.size(); i++) {
      collection.insertOne(
          new Document("_id", i).append("n", 1 + i % 2).append("word", words.get(i)));
    }
    Collation used = collation.equals("LOOSE") ? LOOSE : SIMPLE;
    var find = collection.find(json(filter)).sort(json("{word: 1}")).collation(used);
    List<String> expected =
        collation.equals("LOOSE")
            ? List.of("a", "A2", "b", "B2", "C", "c2", "D", "d2")
            : words.stream().sorted().toList();
    assertThat(find.map(document -> document.getString("word")))
        .containsExactlyElementsOf(expected);
    assertThat(find.explain().toJson().contains("SORT_MERGE")).isEqualTo(merged);
    assertThat(
            collection
                .find(json(filter))
                .sort(json("{word: -1}"))
                .collation(used)
                .batchSize(2)
                .map(document -> document.getString("word")))
        .containsExactlyElementsOf(expected.reversed());
  }

  @Test
  void boundsAndKeysAreShownAsKeys(DriverFixture fixture) {
    MongoCollection<Document> collection = fixture.collection("c");
    collection.createIndex(json("{a: 1}"), new IndexOptions().collation(LOOSE));
    collection.insertOne(Document.parse("{_id: 1, a: 'foo'}"));
    Document plan = collection.find(json("{a: {$gte: 'foo'}}")).collation(LOOSE).explain();
    Document scan = Plans.scan(Plans.winner(plan));
    assertThat(scan.getEmbedded(List.of("indexBounds", "a"), List.of()).getFirst().toString())
        .matches("\\[CollationKey\\(0x[0-9a-f]+\\), \\{\\}\\)");
    Document key = collection.find().collation(LOOSE).hint(json("{a: 1}")).returnKey(true).first();
    assertThat(key.getString("a")).matches("0x[0-9a-f]+");
    assertThat(
            collection
                .find()
                .collation(LOOSE)
                .hint(json("{a: 1}"))
                .min(json("{a: 'FOO'}"))
                .max(json("{a: 'G'}")))
        .hasSize(1);
    MongoCommandException e =
        catchThrowableOfType(
            MongoCommandException.class,
            () -> collection.find().hint(json("{a: 1}")).min(json("{a: 'FOO'}")).first());
    assertThat(e.getErrorCode()).isEqualTo(51174);
  }

  /** Partial indexes have their filter compared as the index is. */
  @Test
  void partialIndexes(DriverFixture fixture) {
    MongoCollection<Document> collection = filled(fixture, null);
    collection.createIndex(
        json("{str: 1}"),
        new IndexOptions().collation(LOOSE).partialFilterExpression(json("{str: {$lte: 'FOO'}}")));
    assertThat(collection.find(json("{str: 'foo'}")).collation(LOOSE).hint(json("{str: 1}")))
        .hasSize(2);
    assertThat(collection.find(json("{str: 'Foo'}")).collation(LOOSE)).hasSize(2);
    assertThat(collection.find(json("{str: 'foo'}"))).hasSize(1);
  }

  /** Kinds of indexes that keep something else than values, or values beside it. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {str: 'hashed'}           | {str: 'FOO'}           | 1,2
          {str: 'hashed', n: 1}     | {str: {$in: ['FOO', 'Bar']}} | 1,2,3
          {'$**': 1}                | {str: 'FOO'}           | 1,2
          {'$**': 1}                | {'sub.word': {$lte: 'DEEP'}} | 3
          {geo: '2dsphere', str: 1} | {str: 'FOO', geo: {$geoWithin: {$centerSphere: [[0, 0], 1]}}} | 1,2
          {str: 1, geo: '2dsphere'} | {str: 'FOO', geo: {$geoWithin: {$centerSphere: [[0, 0], 1]}}} | 1,2
          """)
  void otherKindsOfIndexes(String key, String filter, String loose, DriverFixture fixture) {
    MongoCollection<Document> collection = filled(fixture, null);
    collection.updateMany(json("{}"), json("{$set: {geo: [0.1, 0.1]}}"));
    collection.createIndex(json(key), new IndexOptions().name("x").collation(LOOSE));
    assertThat(
            ids(
                collection
                    .find(json(filter))
                    .collation(LOOSE)
                    .hint(new Document(Document.parse(key)))
                    .sort(json("{_id: 1}"))))
        .isEqualTo(list(loose));
    assertThat(ids(collection.find(json(filter)).collation(LOOSE).sort(json("{_id: 1}"))))
        .isEqualTo(list(loose));
    assertThat(ids(collection.find(json(filter)))).isNotEqualTo(list(loose));
    Document valid = fixture.database().runCommand(Document.parse("{validate: 'c'}"));
    assertThat(valid.getBoolean("valid")).isTrue();
  }

  @Test
  void nearestFirst(DriverFixture fixture) {
    MongoCollection<Document> collection = filled(fixture, null);
    collection.updateMany(json("{}"), json("{$set: {geo: [0.1, 0.1]}}"));
    collection.createIndex(json("{geo: '2dsphere', str: 1}"), new IndexOptions().collation(LOOSE));
    Bson near =
        json("{str: 'FOO', geo: {$nearSphere: {$geometry: {type: 'Point', coordinates: [0, 0]}}}}");
    assertThat(ids(collection.find(near))).containsExactly(2);
    assertThat(ids(collection.find(near).collation(LOOSE))).containsExactlyInAnyOrder(1, 2);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {a: 'text'} | Index type 'text' does not support collation: { locale: "en_US", caseLevel: false, caseFirst: "off", strength: 2, numericOrdering: false, alternate: "non-ignorable", maxVariable: "punct", normalization: false, backwards: false, version: "57.1" }
          {a: '2d'}   | Index type '2d' does not support collation: { locale: "en_US", caseLevel: false, caseFirst: "off", strength: 2, numericOrdering: false, alternate: "non-ignorable", maxVariable: "punct", normalization: false, backwards: false, version: "57.1" }
          """)
  void kindsWithoutCollation(String key, String message, DriverFixture fixture) {
    fixture.database().createCollection("c", new CreateCollectionOptions().collation(LOOSE));
    MongoCollection<Document> collection = fixture.collection("c");
    MongoCommandException e =
        catchThrowableOfType(MongoCommandException.class, () -> collection.createIndex(json(key)));
    assertThat(e.getErrorCode()).isEqualTo(67);
    assertThat(e.getErrorMessage()).isEqualTo(message);
    collection.createIndex(json(key), new IndexOptions().collation(SIMPLE));
    MongoCollection<Document> other = fixture.collection("other");
    assertThat(
            catchThrowableOfType(
                    MongoCommandException.class,
                    () -> other.createIndex(json(key), new IndexOptions().collation(LOOSE)))
                .getErrorCode())
        .isEqualTo(67);
  }

  @Test
  void indexFiltersAreForACollation(DriverFixture fixture) {
    MongoCollection<Document> collection = filled(fixture, null);
    collection.createIndex(json("{str: 1}"), new IndexOptions().name("x").collation(LOOSE));
    collection.createIndex(json("{str: 1, n: 1}"), new IndexOptions().name("y").collation(LOOSE));
    fixture
        .database()
        .runCommand(
            Document.parse(
                "{planCacheSetFilter: 'c', query: {str: 'a'}, collation: {locale: 'en_US',"
                    + " strength: 2}, indexes: ['y']}"));
    Document filters = fixture.database().runCommand(Document.parse("{planCacheListFilters: 'c'}"));
    Document filter = filters.getList("filters", Document.class).getFirst();
    assertThat(filter.get("collation", Document.class).getString("locale")).isEqualTo("en_US");
    Document loose = collection.find(json("{str: 'foo'}")).collation(LOOSE).explain();
    assertThat(Plans.planner(loose).getBoolean("indexFilterSet")).isTrue();
    assertThat(Plans.scan(Plans.winner(loose)).getString("indexName")).isEqualTo("y");
    Document simple = collection.find(json("{str: 'foo'}")).explain();
    assertThat(Plans.planner(simple).getBoolean("indexFilterSet")).isFalse();
  }
}
