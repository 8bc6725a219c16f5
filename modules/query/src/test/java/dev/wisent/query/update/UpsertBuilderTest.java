package dev.wisent.query.update;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.wisent.base.CommandException;
import dev.wisent.bson.RawDocument;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Documents that upserts insert. */
class UpsertBuilderTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {_id: 1} | {$set: {a: 1}} | {_id: 1, a: 1}
          {a: 1} | {$set: {b: 2}} | {_id: ObjectId('0123456789abcdef01234567'), a: 1, b: 2}
          {} | {$set: {b: 2}} | {_id: ObjectId('0123456789abcdef01234567'), b: 2}
          # equalities come in the order of their paths
          {b: 1, a: 2, _id: 3} | {$set: {c: 4}} | {_id: 3, a: 2, b: 1, c: 4}
          {'b.y': 1, 'b.x': 2, _id: 3} | {$inc: {'b.z': 4}} | {_id: 3, b: {x: 2, y: 1, z: 4}}
          {_id: 1, 'a.0': 5} | {$set: {b: 1}} | {_id: 1, a: {'0': 5}, b: 1}
          {_id: {$eq: 1}, a: {$gt: 5}, b: {$in: [7]}, c: {$in: [1, 2]}} | {$set: {d: 1}} | {_id: 1, b: 7, d: 1}
          {$and: [{_id: 1}, {a: 2}]} | {$set: {b: 1}} | {_id: 1, a: 2, b: 1}
          {$or: [{_id: 1}]} | {$set: {b: 1}} | {_id: 1, b: 1}
          {$or: [{_id: 1}, {_id: 2}]} | {$set: {b: 1}} | {_id: ObjectId('0123456789abcdef01234567'), b: 1}
          {_id: 1, a: {$all: [5]}} | {$set: {b: 1}} | {_id: 1, a: 5, b: 1}
          {_id: 1, a: null} | {$set: {b: 1}} | {_id: 1, a: null, b: 1}
          {_id: 1, a: [1, 2]} | {$push: {a: 3}} | {_id: 1, a: [1, 2, 3]}
          # the update goes over the equalities
          {_id: 1, a: 1} | {$set: {a: 2}} | {_id: 1, a: 2}
          {_id: 1, a: 1} | {$inc: {a: 2, n: 1}} | {_id: 1, a: 3, n: 1}
          {_id: 1, a: 1} | {$unset: {a: 1}} | {_id: 1}
          {_id: 1, a: 1} | {$rename: {a: 'b'}} | {_id: 1, b: 1}
          {a: 1} | {$set: {_id: 5}} | {_id: 5, a: 1}
          {_id: 1} | {$set: {_id: 1, a: 1}} | {_id: 1, a: 1}
          {'_id.x': 1} | {$set: {a: 1}} | {_id: {x: 1}, a: 1}
          {_id: 1} | {$set: {}} | {_id: 1}
          {_id: 1} | {$set: {$a: 1}} | {_id: 1, $a: 1}
          {_id: 1} | {$set: {t: Timestamp(0, 0)}} | {_id: 1, t: Timestamp(0, 0)}
          # replacements take the _id only
          {_id: 1, a: 1} | {b: 2} | {_id: 1, b: 2}
          {a: 1} | {b: 2} | {_id: ObjectId('0123456789abcdef01234567'), b: 2}
          {a: 1} | {b: 2, _id: 7} | {_id: 7, b: 2}
          {_id: 1} | {b: 2, _id: 1} | {_id: 1, b: 2}
          {$and: [{a: 1}, {a: 1}, {_id: 3}]} | {b: 2} | {_id: 3, b: 2}
          {_id: {$gt: 3}} | {b: 2} | {_id: ObjectId('0123456789abcdef01234567'), b: 2}
          {_id: 1} | {t: Timestamp(0, 0)} | {_id: 1, t: Timestamp(7, 1)}
          {_id: 1} | {} | {_id: 1}
          """)
  void inserts(String filter, String update, String expected) {
    RawDocument inserted = UpdateCases.upsert(filter, update);
    assertThat(UpdateCases.canonical(inserted))
        .isEqualTo(UpdateCases.canonical(RawDocument.parse(expected)));
    assertThat(inserted).isEqualTo(RawDocument.parse(expected));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {_id: 1} | {$set: {_id: 2}} | 66 | Performing an update on the path '_id' would modify the immutable field '_id'
          {_id: 1} | {_id: 2} | 66 | After applying the update, the (immutable) field '_id' was found to have been altered to _id: 2
          {_id: {x: 1}} | {$set: {'_id.y': 2}} | 66 | Updating the path '_id' to _id: { x: 1, y: 2 } would modify the immutable field '_id'
          {$and: [{a: 1}, {a: 2}]} | {$set: {b: 1}} | 54 | cannot infer query fields to set, path 'a' is matched twice
          {a: 1, 'a.b': 2} | {$set: {b: 1}} | 54 | cannot infer query fields to set, both paths 'a.b' and 'a' are matched
          {'_id.x': 1} | {b: 1} | 111 | field at '_id' must be exactly specified, field at sub-path '_id.x'found
          {a: 1} | {$set: {'a.b': 1}} | 28 | Cannot create field 'b' in element {a: 1}
          {a: 'x'} | {$inc: {a: 1}} | 14 | Cannot apply $inc to a value of non-numeric type. {no id} has the field 'a' of non-numeric type string
          {_id: 7, a: 'x'} | {$inc: {a: 1}} | 14 | Cannot apply $inc to a value of non-numeric type. {_id: 7} has the field 'a' of non-numeric type string
          {a: 1} | {$set: {_id: [1]}} | 53 | The '_id' value cannot be of type array
          {a: 1} | {_id: /x/} | 53 | The '_id' value cannot be of type regex
          {a: 1} | {$set: {_id: {$x: 1}}} | 52 | The dollar ($) prefixed field '$x' in '_id.$x' is not allowed in the context of an update's replacement document. Consider using an aggregation pipeline with $replaceWith.
          {a: [1]} | {$set: {'b.$': 1}} | 2 | The positional operator did not find the match needed from the query.
          {a: 1} | {$set: {'b.$[]': 1}} | 2 | The path 'b' must exist in the document in order to apply array updates.
          """)
  void fails(String filter, String update, int code, String message) {
    var thrown =
        catchThrowableOfType(CommandException.class, () -> UpdateCases.upsert(filter, update));
    assertThat(thrown).as("an error").isNotNull();
    assertThat(thrown.getMessage()).isEqualTo(message);
    assertThat(thrown.code().code()).isEqualTo(code);
  }
}
