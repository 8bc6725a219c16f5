package dev.wisent.conformance.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoWriteException;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Collation;
import com.mongodb.client.model.CollationStrength;
import com.mongodb.client.model.CountOptions;
import com.mongodb.client.model.CreateCollectionOptions;
import com.mongodb.client.model.DeleteOptions;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.ReturnDocument;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.result.UpdateResult;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What clients see of collations: on operations, on collections, on indexes. */
@ExtendWith(DriverFixture.Extension.class)
class CollationTest {
  private static final Collation LOOSE =
      Collation.builder().locale("en_US").collationStrength(CollationStrength.SECONDARY).build();
  private static final Collation STRICT =
      Collation.builder().locale("en_US").collationStrength(CollationStrength.TERTIARY).build();
  private static final Collation SIMPLE = Collation.builder().locale("simple").build();
  private static final Collation NUMERIC =
      Collation.builder().locale("en").numericOrdering(true).build();

  private static final String WHOLE_FR_CA =
      "{locale: 'fr_CA', caseLevel: false, caseFirst: 'off', strength: 3, numericOrdering: false,"
          + " alternate: 'non-ignorable', maxVariable: 'punct', normalization: false, backwards:"
          + " true, version: '57.1'}";

  private static Bson json(String json) {
    return BsonDocument.parse(json);
  }

  private static MongoCollection<Document> filled(DriverFixture fixture, Collation ofCollection) {
    if (ofCollection != null) {
      fixture
          .database()
          .createCollection("c", new CreateCollectionOptions().collation(ofCollection));
    }
    MongoCollection<Document> collection = fixture.collection("c");
    collection.insertMany(
        List.of(
            Document.parse("{_id: 1, str: 'foo', tags: ['Red', 'blue']}"),
            Document.parse("{_id: 2, str: 'FOO', tags: ['green']}"),
            Document.parse("{_id: 3, str: 'bar', sub: {word: 'Deep'}}")));
    return collection;
  }

  private static List<Integer> ids(Iterable<Document> documents) {
    var ids = new ArrayList<Integer>();
    documents.forEach(document -> ids.add(document.getInteger("_id")));
    return ids;
  }

  /** What a condition finds, by the words of the documents or by their meaning. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {str: 'FOO'}                            | 2   | 1,2
          {str: {$eq: 'Foo'}}                     |     | 1,2
          {str: {$ne: 'Foo'}}                     | 1,2,3 | 3
          {str: {$in: ['foo', 'BAR']}}            | 1   | 1,2,3
          {str: {$nin: ['foo', 'BAR']}}           | 2,3 |
          {str: {$gt: 'BAR'}}                     | 1,2,3 | 1,2
          {str: {$lte: 'BAR'}}                    |     | 3
          {str: {$not: {$gte: 'FOO'}}}            |     | 3
          {str: /FOO/}                            | 2   | 2
          {tags: 'red'}                           |     | 1
          {tags: {$all: ['RED', 'Blue']}}         |     | 1
          {tags: {$elemMatch: {$eq: 'red'}}}      |     | 1
          {tags: ['red', 'BLUE']}                 |     | 1
          {sub: {word: 'deep'}}                   |     | 3
          {sub: {WORD: 'deep'}}                   |     |
          {'sub.word': 'DEEP'}                    |     | 3
          {$or: [{str: 'BAR'}, {tags: 'GREEN'}]}  |     | 2,3
          {$nor: [{str: 'foo'}]}                  | 2,3 | 3
          """)
  void conditions(String filter, String exact, String loose, DriverFixture fixture) {
    MongoCollection<Document> collection = filled(fixture, null);
    for (String index : new String[] {null, "simple", "loose"}) {
      if (index != null) {
        for (String field : List.of("str", "tags", "sub", "sub.word")) {
          collection.createIndex(
              new Document(field, 1),
              new IndexOptions()
                  .name(field + index)
                  .collation(index.equals("loose") ? LOOSE : SIMPLE));
        }
      }
      assertThat(ids(collection.find(json(filter)).sort(json("{_id: 1}"))))
          .as("exactly, with index %s", index)
          .isEqualTo(list(exact));
      assertThat(ids(collection.find(json(filter)).sort(json("{_id: 1}")).collation(LOOSE)))
          .as("loosely, with index %s", index)
          .isEqualTo(list(loose));
      assertThat(collection.countDocuments(json(filter), new CountOptions().collation(LOOSE)))
          .isEqualTo(list(loose).size());
    }
  }

  private static List<Integer> list(String ids) {
    var list = new ArrayList<Integer>();
    if (ids != null) {
      for (String id : ids.split(",")) {
        list.add(Integer.valueOf(id.strip()));
      }
    }
    return list;
  }

  @Test
  void sorts(DriverFixture fixture) {
    MongoCollection<Document> collection = fixture.collection("c");
    for (String word : List.of("a10", "A2", "\u00e4", "z", "Z", "a1")) {
      collection.insertOne(new Document("_id", word));
    }
    List<String> simple = List.of("A2", "Z", "a1", "a10", "z", "\u00e4");
    List<String> numeric = List.of("\u00e4", "a1", "A2", "a10", "z", "Z");
    assertThat(collection.find().sort(json("{_id: 1}")).map(d -> d.getString("_id")))
        .containsExactlyElementsOf(simple);
    assertThat(
            collection
                .find()
                .sort(json("{_id: 1}"))
                .collation(NUMERIC)
                .map(d -> d.getString("_id")))
        .containsExactlyElementsOf(numeric);
    assertThat(
            collection
                .aggregate(List.of(json("{$sort: {_id: -1}}")))
                .collation(NUMERIC)
                .map(d -> d.getString("_id")))
        .containsExactlyElementsOf(numeric.reversed());
    assertThat(
            collection
                .aggregate(List.of(json("{$limit: 100}"), json("{$match: {_id: {$gt: 'A2'}}}")))
                .collation(NUMERIC)
                .map(d -> d.getString("_id")))
        .containsExactlyInAnyOrder("a10", "z", "Z");
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
  void distinctValues(DriverFixture fixture) {
    MongoCollection<Document> collection = filled(fixture, null);
    assertThat(collection.distinct("str", String.class)).hasSize(3);
    assertThat(collection.distinct("str", String.class).collation(LOOSE)).hasSize(2);
    assertThat(collection.distinct("str", String.class).collation(STRICT)).hasSize(3);
    collection.createIndex(json("{str: 1}"), new IndexOptions().collation(LOOSE));
    assertThat(collection.distinct("str", String.class).collation(LOOSE))
        .containsExactly("bar", "foo");
    assertThat(collection.distinct("str", String.class)).hasSize(3);
  }

  @Test
  void writes(DriverFixture fixture) {
    MongoCollection<Document> collection = filled(fixture, null);
    UpdateResult result =
        collection.updateMany(
            json("{str: 'foo'}"), json("{$set: {n: 1}}"), new UpdateOptions().collation(LOOSE));
    assertThat(result.getModifiedCount()).isEqualTo(2);
    Document found =
        collection.findOneAndUpdate(
            json("{str: 'BAR'}"),
            json("{$set: {n: 2}}"),
            new FindOneAndUpdateOptions().collation(LOOSE).returnDocument(ReturnDocument.AFTER));
    assertThat(found.getInteger("n")).isEqualTo(2);
    assertThat(
            collection
                .deleteMany(json("{str: 'fOO'}"), new DeleteOptions().collation(LOOSE))
                .getDeletedCount())
        .isEqualTo(2);
  }

  /** What an update compares inside a document follows the collation too. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {$min: {w: 'A'}}                               | {w: 'b', s: ['x', 'Y', 'z']} | {w: 'A', s: ['x', 'Y', 'z']}
          {$max: {w: 'A'}}                               | {w: 'b', s: ['x', 'Y', 'z']} | {w: 'b', s: ['x', 'Y', 'z']}
          {$max: {w: 'B'}}                               | {w: 'b', s: []}              | {w: 'b', s: []}
          {$max: {w: 'C'}}                               | {w: 'b', s: []}              | {w: 'C', s: []}
          {$addToSet: {s: 'y'}}                          | {w: 'b', s: ['x', 'Y', 'z']} | {w: 'b', s: ['x', 'Y', 'z']}
          {$addToSet: {s: {$each: ['y', 'q', 'Q']}}}     | {w: 'b', s: ['x', 'Y', 'z']} | {w: 'b', s: ['x', 'Y', 'z', 'q']}
          {$pull: {s: 'y'}}                              | {w: 'b', s: ['x', 'Y', 'z']} | {w: 'b', s: ['x', 'z']}
          {$pull: {s: {$gt: 'X'}}}                       | {w: 'b', s: ['x', 'Y', 'z']} | {w: 'b', s: ['x']}
          {$pullAll: {s: ['y', 'Z']}}                    | {w: 'b', s: ['x', 'Y', 'z']} | {w: 'b', s: ['x']}
          {$push: {s: {$each: ['A'], $sort: 1}}}         | {w: 'b', s: ['x', 'Y', 'z']} | {w: 'b', s: ['A', 'x', 'Y', 'z']}
          {$set: {'s.$': 'here'}}                        | {w: 'b', s: ['x', 'Y', 'z']} | {w: 'b', s: ['x', 'here', 'z']}
          {$set: {'s.$[e]': 'here'}}                     | {w: 'b', s: ['x', 'Y', 'z']} | {w: 'b', s: ['x', 'here', 'z']}
          """)
  void updateOperators(String update, String before, String after, DriverFixture fixture) {
    MongoCollection<Document> collection = fixture.collection("c");
    collection.insertOne(Document.parse(before).append("_id", 1));
    var options = new UpdateOptions().collation(LOOSE);
    if (update.contains("[e]")) {
      options.arrayFilters(List.of(json("{e: 'y'}")));
    }
    collection.updateOne(
        json(update.contains(".$'") ? "{s: 'y'}" : "{_id: 1}"), json(update), options);
    Document stored = collection.find().first();
    stored.remove("_id");
    assertThat(stored).isEqualTo(Document.parse(after));
  }

  @Test
  void theCollectionsIsInherited(DriverFixture fixture) {
    MongoCollection<Document> collection = filled(fixture, LOOSE);
    collection.createIndex(json("{str: 1}"));
    assertThat(ids(collection.find(json("{str: 'foo'}")))).containsExactlyInAnyOrder(1, 2);
    assertThat(collection.find(json("{str: 'foo'}")).collation(SIMPLE)).hasSize(1);
    assertThat(collection.aggregate(List.of(json("{$match: {str: 'Foo'}}")))).hasSize(2);
    assertThat(collection.distinct("str", String.class)).hasSize(2);
    assertThat(collection.countDocuments(json("{str: 'fOo'}"))).isEqualTo(2);
    collection.insertOne(Document.parse("{_id: 'Name'}"));
    assertThat(collection.find(json("{_id: 'nAME'}"))).hasSize(1);
    assertThat(collection.find(json("{_id: 'nAME'}")).collation(SIMPLE)).isEmpty();
    assertThat(collection.find(json("{_id: {$in: ['nAME', 1]}}"))).hasSize(2);
    MongoWriteException e =
        catchThrowableOfType(
            MongoWriteException.class, () -> collection.insertOne(new Document("_id", "NAME")));
    assertThat(e.getCode()).isEqualTo(11000);
    assertThat(
            collection.updateOne(json("{_id: 'NAME'}"), json("{$set: {a: 1}}")).getMatchedCount())
        .isOne();
    assertThat(collection.deleteOne(json("{_id: 'name'}")).getDeletedCount()).isOne();
  }

  @Test
  void listsShowTheWholeCollation(DriverFixture fixture) {
    var frCa = Collation.builder().locale("fr_CA").build();
    fixture.database().createCollection("c", new CreateCollectionOptions().collation(frCa));
    MongoCollection<Document> collection = fixture.collection("c");
    collection.createIndex(json("{a: 1}"));
    collection.createIndex(json("{b: 1}"), new IndexOptions().collation(SIMPLE));
    collection.createIndex(json("{a: 1}"), new IndexOptions().name("loose").collation(LOOSE));
    Document info = fixture.database().listCollections().first();
    Document whole = Document.parse(WHOLE_FR_CA);
    assertThat(info.get("options", Document.class).get("collation")).isEqualTo(whole);
    assertThat(info.get("idIndex", Document.class).get("collation")).isEqualTo(whole);
    var byName = new Document();
    collection.listIndexes().forEach(index -> byName.put(index.getString("name"), index));
    assertThat(byName.keySet()).containsExactly("_id_", "a_1", "b_1", "loose");
    assertThat(byName.get("_id_", Document.class).get("collation")).isEqualTo(whole);
    assertThat(byName.get("a_1", Document.class).get("collation")).isEqualTo(whole);
    assertThat(byName.get("b_1", Document.class).containsKey("collation")).isFalse();
    assertThat(byName.get("loose", Document.class).getEmbedded(List.of("collation", "strength"), 0))
        .isEqualTo(2);
  }

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
    Document planner =
        fixture
            .database()
            .runCommand(new Document("explain", find))
            .get("queryPlanner", Document.class);
    assertThat(planner.containsKey("collation")).isEqualTo(!collation.equals("simple"));
    var found = new ArrayList<String>();
    Document stage = planner.get("winningPlan", Document.class);
    while (stage != null) {
      found.add(stage.getString("stage"));
      if (stage.getString("stage").equals("IXSCAN")) {
        assertThat(stage.getEmbedded(List.of("collation", "strength"), 0)).isEqualTo(2);
      }
      stage = stage.get("inputStage", Document.class);
    }
    assertThat(String.join(",", found)).isEqualTo(stages);
  }

  @Test
  void boundsAndKeysAreShownAsKeys(DriverFixture fixture) {
    MongoCollection<Document> collection = fixture.collection("c");
    collection.createIndex(json("{a: 1}"), new IndexOptions().collation(LOOSE));
    collection.insertOne(Document.parse("{_id: 1, a: 'foo'}"));
    Document plan = collection.find(json("{a: {$gte: 'foo'}}")).collation(LOOSE).explain();
    Document scan =
        plan.get("queryPlanner", Document.class)
            .get("winningPlan", Document.class)
            .get("inputStage", Document.class);
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

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {create: 'd', collation: 'x'}                               | 14 | BSON field 'create.collation' is the wrong type 'string', expected type 'object'
          {create: 'd', collation: {}}                                | 40414 | BSON field 'create.collation.locale' is missing but a required field
          {create: 'd', collation: {locale: 'xx'}}                    | 2 | Field 'locale' is invalid in: { locale: "xx" }
          {find: 'c', filter: {_id: 5}, collation: {locale: 'xx'}}    | 2 | Field 'locale' is invalid in: { locale: "xx" }
          {find: 'c', filter: {a: 5}, collation: {strength: 1}}       | 40414 | BSON field 'collation.locale' is missing but a required field
          {find: 'nothing', collation: {locale: 'xx'}}                | 2 | Field 'locale' is invalid in: { locale: "xx" }
          {count: 'c', query: {a: 1}, collation: {locale: 'en', strength: 7}} | 2 | BSON field 'strength' value must be <= 5, actual value '7'
          {distinct: 'c', key: 'a', collation: {locale: 'en', x: 1}}  | 40415 | BSON field 'collation.x' is an unknown field.
          {aggregate: 'c', pipeline: [], cursor: {}, collation: {locale: 'zz'}} | 2 | Field 'locale' is invalid in: { locale: "zz" }
          {findAndModify: 'c', remove: true, collation: {locale: 'zz'}} | 2 | Field 'locale' is invalid in: { locale: "zz" }
          {createIndexes: 'c', indexes: [{key: {_id: 1}, name: '_id_', collation: {locale: 'simple'}}]} | 2 | The _id index must have the same collation as the collection. Index collation: { locale: "simple" }, collection collation: { locale: "en_US", caseLevel: false, caseFirst: "off", strength: 2, numericOrdering: false, alternate: "non-ignorable", maxVariable: "punct", normalization: false, backwards: false, version: "57.1" }
          """)
  void refusals(String command, int code, String message, DriverFixture fixture) {
    fixture.database().createCollection("c", new CreateCollectionOptions().collation(LOOSE));
    MongoCommandException e =
        catchThrowableOfType(
            MongoCommandException.class,
            () -> fixture.database().runCommand(Document.parse(command)));
    assertThat(e).as(command).isNotNull();
    assertThat(e.getErrorMessage()).isEqualTo(message);
    assertThat(e.getErrorCode()).isEqualTo(code);
  }

  /** A wrong collation is an error of its statement, not of the whole batch. */
  @Test
  void aStatementMayHaveAWrongCollation(DriverFixture fixture) {
    MongoCollection<Document> collection = filled(fixture, null);
    Document reply =
        fixture
            .database()
            .runCommand(
                Document.parse(
                    "{update: 'c', ordered: false, updates: ["
                        + "{q: {str: 'foo'}, u: {$set: {n: 1}}, collation: {locale: 'xx'}},"
                        + "{q: {str: 'foo'}, u: {$set: {n: 1}}}]}"));
    assertThat(reply.getInteger("nModified")).isEqualTo(1);
    assertThat(reply.getList("writeErrors", Document.class).getFirst().getInteger("code"))
        .isEqualTo(2);
    assertThat(collection.countDocuments(json("{n: 1}"))).isOne();
  }

  @Test
  void validatorsCompareAsTheCollectionDoes(DriverFixture fixture) {
    fixture
        .database()
        .runCommand(
            Document.parse(
                "{create: 'c', collation: {locale: 'en_US', strength: 2},"
                    + " validator: {a: {$in: ['red', 'green']}}}"));
    MongoCollection<Document> collection = fixture.collection("c");
    collection.insertOne(Document.parse("{a: 'RED'}"));
    assertThat(
            catchThrowableOfType(
                    MongoWriteException.class,
                    () -> collection.insertOne(Document.parse("{a: 'blue'}")))
                .getCode())
        .isEqualTo(121);
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

  /** Expressions compare as the operation does. */
  @Test
  void expressions(DriverFixture fixture) {
    MongoCollection<Document> collection = filled(fixture, null);
    for (boolean indexed : new boolean[] {false, true}) {
      if (indexed) {
        collection.createIndex(json("{str: 1}"));
        collection.createIndex(json("{str: 1}"), new IndexOptions().name("loose").collation(LOOSE));
      }
      Bson equal = json("{$expr: {$eq: ['$str', 'Foo']}}");
      assertThat(ids(collection.find(equal))).isEmpty();
      assertThat(ids(collection.find(equal).collation(LOOSE))).containsExactlyInAnyOrder(1, 2);
      Bson greater = json("{$expr: {$gt: ['$str', 'BAR']}}");
      assertThat(ids(collection.find(greater))).containsExactlyInAnyOrder(1, 2, 3);
      assertThat(ids(collection.find(greater).collation(LOOSE))).containsExactlyInAnyOrder(1, 2);
    }
    assertThat(
            collection
                .aggregate(List.of(json("{$project: {same: {$eq: ['$str', 'Foo']}}}")))
                .collation(LOOSE)
                .map(document -> document.getBoolean("same")))
        .containsExactly(true, true, false);
    collection.updateMany(
        json("{str: 'Foo'}"),
        List.of(json("{$set: {same: {$eq: ['$str', 'fOO']}}}")),
        new UpdateOptions().collation(LOOSE));
    assertThat(collection.countDocuments(json("{same: true}"))).isEqualTo(2);
  }

  @Test
  void aFindByIdNeedsTheCollectionsCollation(DriverFixture fixture) {
    fixture.database().createCollection("c", new CreateCollectionOptions().collation(STRICT));
    MongoCollection<Document> collection = fixture.collection("c");
    collection.insertMany(List.of(Document.parse("{_id: 'foo'}"), Document.parse("{_id: 'FOO'}")));
    assertThat(collection.find(json("{_id: 'foo'}"))).hasSize(1);
    assertThat(collection.find(json("{_id: 'foo'}")).collation(STRICT)).hasSize(1);
    assertThat(collection.find(json("{_id: 'foo'}")).collation(LOOSE)).hasSize(2);
    assertThat(collection.find(json("{_id: {$in: ['foo', 'x']}}")).collation(LOOSE)).hasSize(2);
    assertThat(stage(collection.find(json("{_id: 'foo'}")).explain())).isEqualTo("EXPRESS_IXSCAN");
    assertThat(stage(collection.find(json("{_id: 'foo'}")).collation(STRICT).explain()))
        .isEqualTo("EXPRESS_IXSCAN");
    assertThat(stage(collection.find(json("{_id: 'foo'}")).collation(LOOSE).explain()))
        .isEqualTo("COLLSCAN");
    assertThat(stage(collection.find(json("{_id: 1}")).collation(LOOSE).explain()))
        .isEqualTo("EXPRESS_IXSCAN");
    assertThat(
            collection
                .deleteMany(json("{_id: 'foo'}"), new DeleteOptions().collation(SIMPLE))
                .getDeletedCount())
        .isOne();
  }

  private static String stage(Document explained) {
    return explained
        .get("queryPlanner", Document.class)
        .get("winningPlan", Document.class)
        .getString("stage");
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
    Document planner =
        collection
            .find(json("{str: 'foo'}"))
            .collation(LOOSE)
            .explain()
            .get("queryPlanner", Document.class);
    assertThat(planner.getBoolean("indexFilterSet")).isTrue();
    assertThat(
            planner
                .get("winningPlan", Document.class)
                .get("inputStage", Document.class)
                .getString("indexName"))
        .isEqualTo("y");
    assertThat(
            collection
                .find(json("{str: 'foo'}"))
                .explain()
                .get("queryPlanner", Document.class)
                .getBoolean("indexFilterSet"))
        .isFalse();
  }
}
