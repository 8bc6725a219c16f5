package dev.wisent.conformance.driver;

import static dev.wisent.conformance.driver.Collations.LOOSE;
import static dev.wisent.conformance.driver.Collations.NUMERIC;
import static dev.wisent.conformance.driver.Collations.SIMPLE;
import static dev.wisent.conformance.driver.Collations.STRICT;
import static dev.wisent.conformance.driver.Collations.filled;
import static dev.wisent.conformance.driver.Collations.ids;
import static dev.wisent.conformance.driver.Collations.json;
import static dev.wisent.conformance.driver.Collations.list;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.mongodb.MongoCommandException;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.CountOptions;
import com.mongodb.client.model.CreateCollectionOptions;
import com.mongodb.client.model.DeleteOptions;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.ReturnDocument;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.result.UpdateResult;
import java.util.List;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What clients see of collations on operations. */
@ExtendWith(DriverFixture.Extension.class)
class CollationTest {
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
                .aggregate(
                    List.of(
                        json("{$project: {same: {$eq: ['$str', 'Foo']}}}"),
                        json("{$sort: {_id: 1}}")))
                .collation(LOOSE)
                .map(document -> document.getBoolean("same")))
        .containsExactly(true, true, false);
    collection.updateMany(
        json("{str: 'Foo'}"),
        List.of(json("{$set: {same: {$eq: ['$str', 'fOO']}}}")),
        new UpdateOptions().collation(LOOSE));
    assertThat(collection.countDocuments(json("{same: true}"))).isEqualTo(2);
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
}
