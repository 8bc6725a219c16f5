package dev.wisent.query.validation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.wisent.base.CommandException;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.query.context.QueryContext;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What errInfo says about conditions that are not met. The expected texts are MongoDB's. */
class MatchExplanationTest {
  private static final QueryContext CONTEXT = QueryContext.of(() -> 0, () -> 0.5);

  /** The filter, a document, and what follows operatorName and specifiedAs (the filter itself). */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          {a: {$eq: 2}} | {a: 1} | $eq | reason: 'comparison failed', consideredValue: 1
          {a: 2} | {a: 1} | $eq | reason: 'comparison failed', consideredValue: 1
          {a: {$eq: 2}} | {b: 1} | $eq | reason: 'field was missing'
          {a: {$eq: 2}} | {a: [3, 4]} | $eq | reason: 'comparison failed', consideredValues: [3, 4]
          {a: {$eq: 2}} | {a: []} | $eq | reason: 'comparison failed', consideredValues: []
          {a: {$eq: 2}} | {a: [[3]]} | $eq | reason: 'comparison failed', consideredValue: [3]
          {'a.b': {$eq: 0}} | {a: [{b: [1, 2]}, {b: 3}]} | $eq | reason: 'comparison failed', consideredValues: [1, 2, 3]
          {'a.b': {$eq: 0}} | {a: [{b: 3}]} | $eq | reason: 'comparison failed', consideredValue: 3
          {a: {$eq: 0}} | {a: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]} | $eq | reason: 'comparison failed', consideredValues: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], consideredValuesTruncated: true
          {a: {$ne: 2}} | {a: 2} | $ne | reason: 'comparison succeeded', consideredValue: 2
          {a: {$lt: 0}} | {a: 1} | $lt | reason: 'comparison failed', consideredValue: 1
          {a: {$lte: 0}} | {a: 'x'} | $lte | reason: 'comparison failed', consideredValue: 'x'
          {a: {$gt: 3}} | {} | $gt | reason: 'field was missing'
          {a: {$gte: 3}} | {a: null} | $gte | reason: 'comparison failed', consideredValue: null
          {a: {$in: [1, 2]}} | {a: 4} | $in | reason: 'no matching value found in array', consideredValue: 4
          {a: {$in: [1, 2]}} | {} | $in | reason: 'field was missing'
          {a: {$nin: [1, 2]}} | {a: [1, 5]} | $nin | reason: 'matching value found in array', consideredValues: [1, 5]
          {a: {$exists: true}} | {b: 1} | $exists | reason: 'path does not exist'
          {a: {$exists: false}} | {a: 1} | $exists | reason: 'path does exist'
          {a: {$type: 'int'}} | {a: 'x'} | $type | reason: 'type did not match', consideredValue: 'x', consideredType: 'string'
          {a: {$type: 'int'}} | {a: ['x', {}]} | $type | reason: 'type did not match', consideredValues: ['x', {}], consideredTypes: ['object', 'string']
          {a: {$type: 'int'}} | {a: []} | $type | reason: 'type did not match', consideredValues: []
          {a: {$type: 'int'}} | {} | $type | reason: 'field was missing'
          {a: {$mod: [2, 1]}} | {a: 2} | $mod | reason: '$mod did not evaluate to expected remainder', consideredValue: 2
          {a: {$mod: [2, 1]}} | {a: 'x'} | $mod | reason: 'type did not match', consideredType: 'string', expectedTypes: ['decimal', 'double', 'int', 'long'], consideredValue: 'x'
          {a: {$mod: [2, 1]}} | {a: []} | $mod | reason: 'type did not match', expectedTypes: ['decimal', 'double', 'int', 'long'], consideredValues: []
          {a: {$regex: '^x', $options: 'i'}} | {a: 'y'} | $regex | reason: 'regular expression did not match', consideredValue: 'y'
          {a: {$regex: '^x'}} | {a: 1} | $regex | reason: 'type did not match', consideredType: 'int', expectedTypes: ['regex', 'string', 'symbol'], consideredValue: 1
          {a: {$regularExpression: {pattern: '^x', options: ''}}} | {a: 'y'} | $regex | reason: 'regular expression did not match', consideredValue: 'y'
          {a: {$bitsAllSet: 2}} | {a: 1} | $bitsAllSet | reason: 'bitwise operator failed to match', consideredValue: 1
          {a: {$bitsAnyClear: [0]}} | {a: 'x'} | $bitsAnyClear | reason: 'type did not match', consideredType: 'string', expectedTypes: ['binData', 'decimal', 'double', 'int', 'long'], consideredValue: 'x'
          {a: {$size: 2}} | {a: [1]} | $size | reason: 'array length was not equal to given size', consideredValue: [1]
          {a: {$size: 2}} | {a: 1} | $size | reason: 'type did not match', consideredType: 'int', expectedType: 'array', consideredValue: 1
          {a: {$elemMatch: {b: 1}}} | {a: [{b: 2}]} | $elemMatch | reason: 'array did not satisfy the child predicate', consideredValue: [{b: 2}]
          {a: {$elemMatch: {$gt: 1}}} | {a: 5} | $elemMatch | reason: 'type did not match', consideredType: 'int', expectedType: 'array', consideredValue: 5
          {a: {$all: [1, 2]}} | {a: [1]} | $all | reason: 'array did not contain all specified values', consideredValue: [1]
          {a: {$all: [1, 2]}} | {} | $all | reason: 'field was missing'
          {a: {$all: []}} | {a: 1} | $all | reason: 'expression always evaluates to false'
          {$expr: {$eq: ['$a', '$b']}} | {a: 1, b: 2} | $expr | reason: 'expression did not match', expressionResult: false
          {$expr: '$b'} | {a: 1} | $expr | reason: 'expression did not match', expressionResult: null
          {a: {$geoWithin: {$geometry: {type: 'Polygon', coordinates: [[[0, 0], [0, 5], [5, 5], [5, 0], [0, 0]]]}}}} | {a: [9, 9]} | $geoWithin | reason: 'none of the considered geometries were contained within the expression’s geometry', consideredValues: [9, 9]
          {a: {$geoIntersects: {$geometry: {type: 'Polygon', coordinates: [[[0, 0], [0, 5], [5, 5], [5, 0], [0, 0]]]}}}} | {a: {type: 'Point', coordinates: [9, 9]}} | $geoIntersects | reason: 'none of the considered geometries intersected the expression’s geometry', consideredValue: {type: 'Point', coordinates: [9, 9]}
          {a: {$geoWithin: {$geometry: {type: 'Polygon', coordinates: [[[0, 0], [0, 5], [5, 5], [5, 0], [0, 0]]]}}}} | {a: 'x'} | $geoWithin | reason: 'could not find a valid geometry at the given path', consideredValue: 'x'
          {a: {$geoWithin: {$geometry: {type: 'Polygon', coordinates: [[[0, 0], [0, 5], [5, 5], [5, 0], [0, 0]]]}}}} | {} | $geoWithin | reason: 'field was missing'
          {$expr: false} | {a: 1} | $expr | reason: 'expression did not match', expressionResult: false
          {$expr: {$divide: ['$a', '$b']}} | {a: 1, b: 0} | $expr | reason: 'failed to evaluate aggregation expression', details: {code: 2, codeName: 'BadValue', errmsg: "can't $divide by zero"}
          {$alwaysFalse: 1} | {a: 1} | $alwaysFalse | reason: 'expression always evaluates to false'
          """)
  void conditions(String filter, String document, String operator, String expected) {
    assertThat(SchemaExplanationTest.details(filter, document))
        .isEqualTo(
            BsonDocument.parse(
                "{operatorName: '%s', specifiedAs: %s, %s}".formatted(operator, filter, expected)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          {a: {$not: {$lt: 10}}} | {a: 9} | {operatorName: '$not', details: {operatorName: '$lt', specifiedAs: {a: {$lt: 10}}, reason: 'comparison succeeded', consideredValue: 9}}
          {a: {$not: {$not: {$lt: 10}}}} | {a: 11} | {operatorName: '$not', details: {operatorName: '$not', details: {operatorName: '$lt', specifiedAs: {a: {$lt: 10}}, reason: 'comparison failed', consideredValue: 11}}}
          {a: {$not: {$lt: 20, $gt: 5}}} | {a: 10} | {operatorName: '$not', details: {operatorName: '$and', clausesSatisfied: [{index: 0, details: {operatorName: '$lt', specifiedAs: {a: {$lt: 20}}, reason: 'comparison succeeded', consideredValue: 10}}, {index: 1, details: {operatorName: '$gt', specifiedAs: {a: {$gt: 5}}, reason: 'comparison succeeded', consideredValue: 10}}]}}
          {a: {$not: {$regularExpression: {pattern: 'x', options: ''}}}} | {a: 'x'} | {operatorName: '$not', details: {operatorName: '$regex', specifiedAs: {a: {$regularExpression: {pattern: 'x', options: ''}}}, reason: 'regular expression did match', consideredValue: 'x'}}
          {a: {$gt: 0, $lt: 10}} | {a: 11} | {operatorName: '$and', clausesNotSatisfied: [{index: 1, details: {operatorName: '$lt', specifiedAs: {a: {$lt: 10}}, reason: 'comparison failed', consideredValue: 11}}]}
          {a: 1, b: 1} | {a: 2, b: 2} | {operatorName: '$and', clausesNotSatisfied: [{index: 0, details: {operatorName: '$eq', specifiedAs: {a: 1}, reason: 'comparison failed', consideredValue: 2}}, {index: 1, details: {operatorName: '$eq', specifiedAs: {b: 1}, reason: 'comparison failed', consideredValue: 2}}]}
          {$and: [{$and: [{a: 1}]}, {$and: [{b: 1}]}]} | {a: 1, b: 2} | {operatorName: '$and', clausesNotSatisfied: [{index: 1, details: {operatorName: '$and', clausesNotSatisfied: [{index: 0, details: {operatorName: '$eq', specifiedAs: {b: 1}, reason: 'comparison failed', consideredValue: 2}}]}}]}
          {$or: [{a: {$lt: 10}}, {a: {$gt: 20}}]} | {a: 15} | {operatorName: '$or', clausesNotSatisfied: [{index: 0, details: {operatorName: '$lt', specifiedAs: {a: {$lt: 10}}, reason: 'comparison failed', consideredValue: 15}}, {index: 1, details: {operatorName: '$gt', specifiedAs: {a: {$gt: 20}}, reason: 'comparison failed', consideredValue: 15}}]}
          {$nor: [{a: {$gt: 10}}, {b: {$lt: 10}}]} | {a: 9, b: 9} | {operatorName: '$nor', clausesSatisfied: [{index: 1, details: {operatorName: '$lt', specifiedAs: {b: {$lt: 10}}, reason: 'comparison succeeded', consideredValue: 9}}]}
          {$nor: [{$nor: [{a: 1}]}]} | {a: 2} | {operatorName: '$nor', clausesSatisfied: [{index: 0, details: {operatorName: '$nor', clausesNotSatisfied: [{index: 0, details: {operatorName: '$eq', specifiedAs: {a: 1}, reason: 'comparison failed', consideredValue: 2}}]}}]}
          {$nor: [{a: {$ne: 1}}]} | {a: 2} | {operatorName: '$nor', clausesSatisfied: [{index: 0, details: {operatorName: '$ne', specifiedAs: {a: {$ne: 1}}, reason: 'comparison failed', consideredValue: 2}}]}
          {$nor: [{$or: [{a: 1}, {a: 2}]}]} | {a: 2} | {operatorName: '$nor', clausesSatisfied: [{index: 0, details: {operatorName: '$or', clausesSatisfied: [{index: 1, details: {operatorName: '$eq', specifiedAs: {a: 2}, reason: 'comparison succeeded', consideredValue: 2}}]}}]}
          {$nor: [{a: {$all: [1]}}, {$alwaysTrue: 1}]} | {a: [1]} | {operatorName: '$nor', clausesSatisfied: [{index: 0, details: {operatorName: '$all', specifiedAs: {a: {$all: [1]}}, reason: 'array did contain all specified values', consideredValue: [1]}}, {index: 1, details: {operatorName: '$alwaysTrue', specifiedAs: {$alwaysTrue: 1}, reason: 'expression always evaluates to true'}}]}
          """)
  void combinations(String filter, String document, String expected) {
    assertThat(SchemaExplanationTest.details(filter, document))
        .isEqualTo(BsonDocument.parse(expected));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          {$where: 'true'}                 | 2 | $where is not allowed in this context
          {$and: [{$text: {$search: 'x'}}]} | 2 | $text is not allowed in this context
          {a: {$near: [1, 1]}}             | 5626500 | $geoNear, $near, and $nearSphere are not allowed in this context
          """)
  void whatAValidatorMayNotUse(String filter, int code, String message) {
    CommandException error =
        catchThrowableOfType(
            CommandException.class, () -> Validator.parse(RawDocument.parse(filter), CONTEXT));
    assertThat(error).isNotNull();
    assertThat(error.getMessage()).isEqualTo(message);
    assertThat(error.code().code()).isEqualTo(code);
  }

  @Test
  void anErrorThatWouldBeTooLargeLeavesTheValuesOut() {
    String large = "x".repeat(7 * 1024 * 1024);
    var document = new BsonBuilder().appendInt32("_id", 1).appendString("a", large).toDocument();
    Validator validator = Validator.parse(RawDocument.parse("{$and: [{a: 1}, {a: 2}]}"), CONTEXT);
    RawDocument error = validator.explain(document);
    assertThat(error.length()).isLessThan(1000);
    assertThat(error.toBsonDocument().getBoolean("truncated").getValue()).isTrue();
    assertThat(error.toJson()).doesNotContain("consideredValue").doesNotContain("specifiedAs");
  }

  @Test
  void anErrorThatWouldBeTooDeepSaysSo() {
    String filter = "{a: 1}";
    for (int i = 0; i < 60; i++) {
      filter = "{$and: [" + filter + "]}";
    }
    RawDocument error =
        Validator.parse(RawDocument.parse(filter), CONTEXT)
            .explain(RawDocument.parse("{_id: 1, a: 2}"));
    assertThat(error.toBsonDocument())
        .isEqualTo(
            BsonDocument.parse(
                "{reason: 'generated error was too deeply nested', truncated: true}"));
  }
}
