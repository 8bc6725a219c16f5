package dev.wisent.conformance.driver;

import static com.mongodb.client.model.Filters.eq;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoWriteException;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.ReturnDocument;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.Updates;
import com.mongodb.client.result.UpdateResult;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import org.bson.BsonTimestamp;
import org.bson.Document;
import org.bson.types.ObjectId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rules of updates and projections that show only where all parts work together. */
@ExtendWith(DriverFixture.Extension.class)
class UpdateRulesTest {
  private static final String DOCUMENT =
      "{_id: 1, n: 5, s: 'text', a: [1, 2, 3], d: [{k: 1, v: 1}, {k: 2, v: 2}], o: {x: 1}}";

  private static MongoCollection<Document> one(DriverFixture fixture) {
    MongoCollection<Document> collection = fixture.collection("one");
    collection.drop();
    collection.insertOne(Document.parse(DOCUMENT));
    return collection;
  }

  /** The update of the document, and what of it there is to see afterwards. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          {$set: {z: 1, b: 2, m: 3}}            | {o: 0, d: 0, a: 0, s: 0} | {_id: 1, n: 5, b: 2, m: 3, z: 1}
          {$set: {'o.b': 1, 'o.a': 1}}          | {o: 1}    | {_id: 1, o: {x: 1, a: 1, b: 1}}
          {$set: {'f.10': 1, 'f.9': 1}}         | {f: 1}    | {_id: 1, f: {'9': 1, '10': 1}}
          {$set: {'a.5': 9}}                    | {a: 1}    | {_id: 1, a: [1, 2, 3, null, null, 9]}
          {$unset: {'a.1': 1, 'o.x': 1}}        | {a: 1, o: 1} | {_id: 1, a: [1, null, 3], o: {}}
          {$rename: {n: 'o.n', s: 't'}}         | {n: 1, o: 1, s: 1, t: 1} | {_id: 1, o: {x: 1, n: 5}, t: 'text'}
          {$inc: {n: 1.5}, $mul: {q: 3}}        | {n: 1, q: 1} | {_id: 1, n: 6.5, q: 0}
          {$min: {n: 3, w: 1}, $max: {s: 'z'}}  | {n: 1, w: 1, s: 1} | {_id: 1, n: 3, s: 'z', w: 1}
          {$push: {a: {$each: [9, 0], $sort: -1, $slice: 3}}} | {a: 1} | {_id: 1, a: [9, 3, 2]}
          {$push: {a: {$each: [0], $position: -1}}} | {a: 1} | {_id: 1, a: [1, 2, 0, 3]}
          {$push: {d: {$each: [], $sort: {v: -1}}}} | {d: 1} | {_id: 1, d: [{k: 2, v: 2}, {k: 1, v: 1}]}
          {$addToSet: {a: {$each: [3, 4, 4]}}}  | {a: 1}    | {_id: 1, a: [1, 2, 3, 4]}
          {$pull: {a: {$gte: 2}, d: {k: 1}}}    | {a: 1, d: 1} | {_id: 1, a: [1], d: [{k: 2, v: 2}]}
          {$pullAll: {a: [1, 3]}}               | {a: 1}    | {_id: 1, a: [2]}
          {$pop: {a: -1}}                       | {a: 1}    | {_id: 1, a: [2, 3]}
          {$bit: {n: {xor: 1}}}                 | {n: 1}    | {_id: 1, n: 4}
          {$set: {'d.$[].v': 0}}                | {d: 1}    | {_id: 1, d: [{k: 1, v: 0}, {k: 2, v: 0}]}
          {$set: {'a.$[]': 7}}                  | {a: {$slice: -2}, o: 0, d: 0, s: 0} | {_id: 1, n: 5, a: [7, 7]}
          """)
  void changes(String update, String projection, String expected, DriverFixture fixture) {
    MongoCollection<Document> collection = one(fixture);
    UpdateResult result = collection.updateOne(eq("_id", 1), Document.parse(update));
    assertThat(result.getModifiedCount()).isEqualTo(1);
    assertThat(collection.find().projection(Document.parse(projection)).first().toJson())
        .isEqualTo(Document.parse(expected).toJson());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          {$set: {n: 5, s: 'text'}}
          {$set: {}}
          {$unset: {nothing: 1, 'o.nothing': 1}}
          {$inc: {n: 0}}
          {$mul: {n: 1}}
          {$min: {n: 9}}
          {$addToSet: {a: 2}}
          {$pull: {a: 99}}
          {$pullAll: {nothing: [1]}}
          {$pop: {nothing: 1}}
          {$rename: {nothing: 'b'}}
          {$setOnInsert: {b: 1}}
          {$bit: {n: {or: 5}}}
          """)
  void whatChangesNothingWritesNothing(String update, DriverFixture fixture) {
    MongoCollection<Document> collection = one(fixture);
    UpdateResult result = collection.updateOne(eq("_id", 1), Document.parse(update));
    assertThat(result.getMatchedCount()).isEqualTo(1);
    assertThat(result.getModifiedCount()).isZero();
    assertThat(collection.find().first()).isEqualTo(Document.parse(DOCUMENT));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          {$set: {_id: 2}}              | 66 | Performing an update on the path '_id' would modify the immutable field '_id'
          {$set: {n: 1}, $inc: {n: 1}}  | 40 | Updating the path 'n' would create a conflict at 'n'
          {$set: {'o.x': 1, o: 1}}      | 40 | Updating the path 'o' would create a conflict at 'o'
          {$rename: {n: 's', s: 'q'}}   | 40 | Updating the path 's' would create a conflict at 's'
          {$inc: {s: 1}}                | 14 | Cannot apply $inc to a value of non-numeric type. {_id: 1} has the field 's' of non-numeric type string
          {$inc: {n: 'x'}}              | 14 | Cannot increment with non-numeric argument: {n: "x"}
          {$push: {n: 1}}               |  2 | The field 'n' must be an array but is of type int in document {_id: 1}
          {$addToSet: {n: 1}}           |  2 | Cannot apply $addToSet to non-array field. Field named 'n' has non-array type int
          {$pop: {n: 1}}                | 14 | Path 'n' contains an element of non-array type 'int'
          {$set: {'n.x': 1}}            | 28 | Cannot create field 'x' in element {n: 5}
          {$set: {'a.x': 1}}            | 28 | Cannot create field 'x' in element {a: [ 1, 2, 3 ]}
          {$set: {'': 1}}               | 56 | An empty update path is not valid.
          {$set: {'a..b': 1}}           | 56 | The update path 'a..b' contains an empty field name, which is not allowed.
          {$foo: {a: 1}}                |  9 | Unknown modifier: $foo. Expected a valid update modifier or pipeline-style update specified as an array
          {$set: 5}                     |  9 | Modifiers operate on fields but we found type int instead. For example: {$mod: {<field>: ...}} not {$set: 5}
          {$set: {'a.$': 1}}            |  2 | The positional operator did not find the match needed from the query.
          {$set: {'n.$[]': 1}}          |  2 | Cannot apply array updates to non-array element n: 5
          {$set: {'a.$[i]': 1}}         |  2 | No array filter found for identifier 'i' in path 'a.$[i]'
          {$currentDate: {n: 'x'}}      |  2 | string is not valid type for $currentDate. Please use a boolean ('true') or a $type expression ({$type: 'timestamp/date'}).
          {$bit: {s: {and: 1}}}         |  2 | Cannot apply $bit to a value of non-integral type._id: 1 has the field s of non-integer type string
          """)
  void refusals(String update, int code, String message, DriverFixture fixture) {
    MongoCollection<Document> collection = one(fixture);
    MongoWriteException e =
        catchThrowableOfType(
            MongoWriteException.class,
            () -> collection.updateOne(eq("_id", 1), Document.parse(update)));
    assertThat(e).as(update).isNotNull();
    // What shows only while a document is changed is told as MongoDB tells it.
    assertThat(e.getError().getMessage())
        .isIn(message, "Plan executor error during update :: caused by :: " + message);
    assertThat(e.getCode()).isEqualTo(code);
    assertThat(collection.find().first()).isEqualTo(Document.parse(DOCUMENT));
  }

  @Test
  void arrayFiltersThatNobodyUses(DriverFixture fixture) {
    MongoCollection<Document> collection = one(fixture);
    MongoWriteException e =
        catchThrowableOfType(
            MongoWriteException.class,
            () ->
                collection.updateOne(
                    eq("_id", 1),
                    Updates.set("n", 1),
                    new UpdateOptions().arrayFilters(List.of(eq("i", 1)))));
    assertThat(e.getCode()).isEqualTo(9);
    assertThat(e.getError().getMessage())
        .isEqualTo(
            "The array filter for identifier 'i' was not used in the update { $set: { n: 1 } }");
    collection.updateOne(
        eq("_id", 1),
        Updates.inc("d.$[e].v", 10),
        new UpdateOptions().arrayFilters(List.of(eq("e.k", 2))));
    assertThat(collection.distinct("d.v", Integer.class)).containsExactly(1, 12);
  }

  @Test
  void currentDateIsADateOrATimestamp(DriverFixture fixture) {
    MongoCollection<Document> collection = one(fixture);
    collection.updateOne(
        eq("_id", 1),
        Document.parse("{$currentDate: {x: true, y: {$type: 'date'}, z: {$type: 'timestamp'}}}"));
    Document found = collection.find().first();
    assertThat(found.get("x")).isInstanceOf(Date.class).isEqualTo(found.get("y"));
    assertThat(found.get("z")).isInstanceOf(BsonTimestamp.class);
    long now = System.currentTimeMillis();
    assertThat(found.getDate("x").getTime()).isBetween(now - 600_000, now + 600_000);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          {_id: 7, b: 2, a: 1}                | {$set: {z: 1}}          | {_id: 7, a: 1, b: 2, z: 1}
          {_id: 7, 'o.y': 1, 'o.x': 2}        | {$inc: {'o.z': 1}}      | {_id: 7, o: {x: 2, y: 1, z: 1}}
          {_id: 7, a: {$gt: 5}, b: {$in: [3]}} | {$setOnInsert: {c: 1}} | {_id: 7, b: 3, c: 1}
          {$and: [{_id: 7}, {a: {$eq: 1}}]}   | {$push: {b: 1}}         | {_id: 7, a: 1, b: [1]}
          {_id: 7, a: 1}                      | {$unset: {a: 1}}        | {_id: 7}
          {_id: 7, a: {$all: [1]}}            | {$currentDate: {}}      | {_id: 7, a: 1}
          """)
  void upserts(String filter, String update, String expected, DriverFixture fixture) {
    MongoCollection<Document> collection = fixture.collection("upserts");
    UpdateResult result =
        collection.updateOne(
            Document.parse(filter), Document.parse(update), new UpdateOptions().upsert(true));
    assertThat(result.getMatchedCount()).isZero();
    assertThat(result.getUpsertedId().asInt32().getValue()).isEqualTo(7);
    assertThat(collection.find().first().toJson()).isEqualTo(Document.parse(expected).toJson());
  }

  @Test
  void anUpsertMakesAnIdWhereNoneIsGiven(DriverFixture fixture) {
    MongoCollection<Document> collection = fixture.collection("upserts");
    UpdateResult result =
        collection.updateMany(eq("a", 1), Updates.set("b", 1), new UpdateOptions().upsert(true));
    ObjectId id = result.getUpsertedId().asObjectId().getValue();
    assertThat(new ArrayList<>(collection.find().first().keySet()))
        .containsExactly("_id", "a", "b");
    Document after =
        collection.findOneAndUpdate(
            eq("_id", id),
            Updates.rename("b", "c"),
            new FindOneAndUpdateOptions()
                .returnDocument(ReturnDocument.AFTER)
                .projection(Document.parse("{_id: 0}")));
    assertThat(after.toJson()).isEqualTo("{\"a\": 1, \"c\": 1}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          {a: 1, b: 0}                  | 31254 | Cannot do exclusion on field b in inclusion projection
          {a: 0, b: 1}                  | 31253 | Cannot do inclusion on field b in exclusion projection
          {a: 1, 'a.b': 1}              | 31249 | Path collision at a.b remaining portion b
          {'a.$': 1, 'd.$': 1}          | 31276 | Cannot specify more than one positional projection per query.
          {a: {$elemMatch: {$gt: 1}}, 'd.$': 1} | 31256 | Cannot specify positional operator and $elemMatch.
          {'a.$': 1, a: 1}              | 31250 | Path collision at a
          {a: {$slice: 1}, 'a.b': 1}    | 31249 | Path collision at a.b remaining portion b
          {x: {$meta: 'nothing'}}       | 17308 | Unsupported argument to $meta: nothing
          """)
  void projectionsThatContradictThemselves(
      String projection, int code, String message, DriverFixture fixture) {
    MongoCollection<Document> collection = one(fixture);
    MongoCommandException e =
        catchThrowableOfType(
            MongoCommandException.class,
            () -> collection.find(eq("a", 2)).projection(Document.parse(projection)).first());
    assertThat(e).as(projection).isNotNull();
    assertThat(e.getErrorMessage()).isEqualTo(message);
    assertThat(e.getErrorCode()).isEqualTo(code);
  }
}
