package dev.wisent.query.validation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.RawDocument;
import dev.wisent.query.context.QueryContext;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What errInfo says about broken schemas. The expected texts are MongoDB's. */
class SchemaExplanationTest {
  private static final QueryContext CONTEXT = QueryContext.of(() -> 0, () -> 0.5);

  static BsonDocument details(String filter, String document) {
    Validator validator = Validator.parse(RawDocument.parse(filter), CONTEXT);
    RawDocument parsed = RawDocument.parse(document);
    assertThat(validator.matches(parsed)).as(filter + " on " + document).isFalse();
    return validator.explain(parsed).toBsonDocument().getDocument("details");
  }

  /** A schema for field a, the value of the field, and the one broken rule. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          {minimum: 1} | 0 | {operatorName: 'minimum', specifiedAs: {minimum: 1}, reason: 'comparison failed', consideredValue: 0}
          {minimum: 1, exclusiveMinimum: true} | 1 | {operatorName: 'minimum', specifiedAs: {minimum: 1, exclusiveMinimum: true}, reason: 'comparison failed', consideredValue: 1}
          {maximum: 1} | 2 | {operatorName: 'maximum', specifiedAs: {maximum: 1}, reason: 'comparison failed', consideredValue: 2}
          {multipleOf: 2.1} | 1 | {operatorName: 'multipleOf', specifiedAs: {multipleOf: 2.1}, reason: 'considered value is not a multiple of the specified value', consideredValue: 1}
          {type: 'string'} | 1 | {operatorName: 'type', specifiedAs: {type: 'string'}, reason: 'type did not match', consideredValue: 1, consideredType: 'int'}
          {bsonType: ['int', 'long']} | ['x'] | {operatorName: 'bsonType', specifiedAs: {bsonType: ['int', 'long']}, reason: 'type did not match', consideredValue: ['x'], consideredType: 'array'}
          {type: 'string', minimum: 5} | 4 | {operatorName: 'type', specifiedAs: {type: 'string'}, reason: 'type did not match', consideredValue: 4, consideredType: 'int'}
          {type: 'string', minLength: 5} | 4 | {operatorName: 'type', specifiedAs: {type: 'string'}, reason: 'type did not match', consideredValue: 4, consideredType: 'int'}
          {minLength: 4} | 'foo' | {operatorName: 'minLength', specifiedAs: {minLength: 4}, reason: 'specified string length was not satisfied', consideredValue: 'foo'}
          {maxLength: 2} | 'foo' | {operatorName: 'maxLength', specifiedAs: {maxLength: 2}, reason: 'specified string length was not satisfied', consideredValue: 'foo'}
          {pattern: '^S'} | 'slow' | {operatorName: 'pattern', specifiedAs: {pattern: '^S'}, reason: 'regular expression did not match', consideredValue: 'slow'}
          {minItems: 2} | [1] | {operatorName: 'minItems', specifiedAs: {minItems: 2}, reason: 'array did not match specified length', consideredValue: [1], numberOfItems: 1}
          {maxItems: 1} | [1, 2] | {operatorName: 'maxItems', specifiedAs: {maxItems: 1}, reason: 'array did not match specified length', consideredValue: [1, 2], numberOfItems: 2}
          {uniqueItems: true} | [1, 3, 3, 4, 4] | {operatorName: 'uniqueItems', specifiedAs: {uniqueItems: true}, reason: 'found a duplicate item', consideredValue: [1, 3, 3, 4, 4], duplicatedValue: 3}
          {items: {title: 't', type: 'string'}} | ['x', 1, 2] | {operatorName: 'items', title: 't', reason: 'At least one item did not match the sub-schema', itemIndex: 1, details: [{operatorName: 'type', specifiedAs: {type: 'string'}, reason: 'type did not match', consideredValue: 1, consideredType: 'int'}]}
          {items: [{type: 'number'}, {type: 'string'}]} | [1, 2] | {operatorName: 'items', details: [{itemIndex: 1, details: [{operatorName: 'type', specifiedAs: {type: 'string'}, reason: 'type did not match', consideredValue: 2, consideredType: 'int'}]}]}
          {items: [{}], additionalItems: false} | [1, 2, 3] | {operatorName: 'additionalItems', specifiedAs: {additionalItems: false}, reason: 'found additional items', additionalItems: [2, 3]}
          {items: [{}], additionalItems: {type: 'object'}} | [1, {}, 'x'] | {operatorName: 'additionalItems', reason: 'At least one additional item did not match the sub-schema', itemIndex: 2, details: [{operatorName: 'type', specifiedAs: {type: 'object'}, reason: 'type did not match', consideredValue: 'x', consideredType: 'string'}]}
          {minProperties: 2} | {b: 1} | {operatorName: 'minProperties', specifiedAs: {minProperties: 2}, reason: 'specified number of properties was not satisfied', numberOfProperties: 1}
          {maxProperties: 0} | {b: 1} | {operatorName: 'maxProperties', specifiedAs: {maxProperties: 0}, reason: 'specified number of properties was not satisfied', numberOfProperties: 1}
          {required: ['d', 'c', 'b']} | {c: 1} | {operatorName: 'required', specifiedAs: {required: ['d', 'c', 'b']}, missingProperties: ['b', 'd']}
          {properties: {b: {}}, additionalProperties: false} | {b: 1, c: 1, d: 1} | {operatorName: 'additionalProperties', specifiedAs: {additionalProperties: false}, additionalProperties: ['c', 'd']}
          {additionalProperties: {type: 'string', description: 'd'}} | {b: 'x', c: 1} | {operatorName: 'additionalProperties', description: 'd', reason: 'at least one additional property did not match the subschema', failingProperty: 'c', details: [{operatorName: 'type', specifiedAs: {type: 'string'}, reason: 'type did not match', consideredValue: 1, consideredType: 'int'}]}
          {patternProperties: {'^s': {type: 'string'}, '^n': {type: 'number', title: 'n'}}} | {s: 's', n: 'x'} | {operatorName: 'patternProperties', details: [{propertyName: 'n', title: 'n', regexMatched: '^n', details: [{operatorName: 'type', specifiedAs: {type: 'number'}, reason: 'type did not match', consideredValue: 'x', consideredType: 'string'}]}]}
          {dependencies: {b: ['c', 'd']}} | {b: 1, d: 1} | {operatorName: 'dependencies', failingDependencies: [{conditionalProperty: 'b', missingProperties: ['c']}]}
          {dependencies: {title: 't', b: {required: ['c']}}} | {b: 1} | {operatorName: 'dependencies', title: 't', failingDependencies: [{conditionalProperty: 'b', details: [{operatorName: 'required', specifiedAs: {required: ['c']}, missingProperties: ['c']}]}]}
          {allOf: [{minimum: 0}, {title: 't', maximum: 1}]} | 2 | {operatorName: 'allOf', schemasNotSatisfied: [{index: 1, title: 't', details: [{operatorName: 'maximum', specifiedAs: {maximum: 1}, reason: 'comparison failed', consideredValue: 2}]}]}
          {anyOf: [{minimum: 3}, {type: 'string'}]} | 2 | {operatorName: 'anyOf', schemasNotSatisfied: [{index: 0, details: [{operatorName: 'minimum', specifiedAs: {minimum: 3}, reason: 'comparison failed', consideredValue: 2}]}, {index: 1, details: [{operatorName: 'type', specifiedAs: {type: 'string'}, reason: 'type did not match', consideredValue: 2, consideredType: 'int'}]}]}
          {oneOf: [{minimum: 1}, {maximum: 3}]} | 2 | {operatorName: 'oneOf', reason: 'more than one subschema matched', matchingSchemaIndexes: [0, 1]}
          {oneOf: [{minimum: 3}]} | 2 | {operatorName: 'oneOf', schemasNotSatisfied: [{index: 0, details: [{operatorName: 'minimum', specifiedAs: {minimum: 3}, reason: 'comparison failed', consideredValue: 2}]}]}
          {not: {minimum: 1}} | 2 | {operatorName: 'not', reason: 'child expression matched'}
          {enum: [1, 2]} | 3 | {operatorName: 'enum', specifiedAs: {enum: [1, 2]}, reason: 'value was not found in enum', consideredValue: 3}
          {properties: {b: {minimum: 1, description: 'd', title: 't'}}} | {b: 0} | {operatorName: 'properties', propertiesNotSatisfied: [{propertyName: 'b', title: 't', description: 'd', details: [{operatorName: 'minimum', specifiedAs: {minimum: 1}, reason: 'comparison failed', consideredValue: 0}]}]}
          """)
  void brokenRules(String schema, String value, String error) {
    BsonDocument details =
        details("{$jsonSchema: {properties: {a: " + schema + "}}}", "{_id: 1, a: " + value + "}");
    assertThat(details)
        .isEqualTo(
            BsonDocument.parse(
                "{operatorName: '$jsonSchema', schemaRulesNotSatisfied: [{operatorName:"
                    + " 'properties', propertiesNotSatisfied: [{propertyName: 'a', details: ["
                    + error
                    + "]}]}]}"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          {title: 't', description: 'd', required: ['a'], properties: {a: {bsonType: 'int', minimum: 2}}} | {operatorName: '$jsonSchema', title: 't', description: 'd', schemaRulesNotSatisfied: [{operatorName: 'required', specifiedAs: {required: ['a']}, missingProperties: ['a']}]}
          {type: 'number', required: ['a']} | {operatorName: '$jsonSchema', specifiedAs: {$jsonSchema: {type: 'number', required: ['a']}}, reason: 'expression always evaluates to false'}
          {enum: [{a: 1}]} | {operatorName: '$jsonSchema', schemaRulesNotSatisfied: [{operatorName: 'enum', specifiedAs: {enum: [{a: 1}]}, reason: 'value was not found in enum', consideredValue: {_id: 1, z: 1}}]}
          {enum: [7]} | {operatorName: '$jsonSchema', schemaRulesNotSatisfied: [{operatorName: 'enum', specifiedAs: {enum: [7]}, reason: 'expression always evaluates to false'}]}
          {minProperties: 10} | {operatorName: '$jsonSchema', schemaRulesNotSatisfied: [{operatorName: 'minProperties', specifiedAs: {minProperties: 10}, reason: 'specified number of properties was not satisfied', numberOfProperties: 2}]}
          {not: {}} | {operatorName: '$jsonSchema', schemaRulesNotSatisfied: [{operatorName: 'not', reason: 'child expression matched'}]}
          {patternProperties: {'^z': {type: 'string'}}, additionalProperties: false} | {operatorName: '$jsonSchema', schemaRulesNotSatisfied: [{operatorName: 'additionalProperties', specifiedAs: {additionalProperties: false}, additionalProperties: ['_id']}, {operatorName: 'patternProperties', details: [{propertyName: 'z', regexMatched: '^z', details: [{operatorName: 'type', specifiedAs: {type: 'string'}, reason: 'type did not match', consideredValue: 1, consideredType: 'int'}]}]}]}
          """)
  void brokenRulesOfTheDocument(String schema, String expected) {
    assertThat(details("{$jsonSchema: " + schema + "}", "{_id: 1, z: 1}"))
        .isEqualTo(BsonDocument.parse(expected));
  }

  @Test
  void severalRulesAreReportedInMongoDbsOrder() {
    BsonDocument details =
        details(
            "{$jsonSchema: {properties: {a: {minimum: 10, maximum: -10, enum: [1]}}}}",
            "{_id: 1, a: 5}");
    assertThat(details.toString()).containsSubsequence("maximum", "minimum", "enum");
  }

  @Test
  void aSchemaThatMatchesButShouldNotTellsNoMore() {
    assertThat(details("{$nor: [{$jsonSchema: {minLength: 1}}]}", "{_id: 1, a: 'foo'}"))
        .isEqualTo(
            BsonDocument.parse(
                "{operatorName: '$nor', clausesSatisfied: [{index: 0, details: {operatorName:"
                    + " '$jsonSchema', reason: 'schema matched'}}]}"));
  }
}
