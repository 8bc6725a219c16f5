package dev.wisent.query.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.wisent.base.CommandException;
import dev.wisent.bson.RawDocument;
import dev.wisent.query.interrupt.WorkMeter;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What schemas accept, and which schemas are refused. */
class JsonSchemaTest {
  private static boolean matches(String schema, String document) {
    return JsonSchema.parse(RawDocument.parse(schema), WorkMeter.unchecked())
        .matches(RawDocument.parse(document));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          {type: 'number'}                    | 1                           | true
          {type: 'number'}                    | {$numberLong: '1'}          | true
          {type: 'number'}                    | {$numberDecimal: '1'}       | true
          {type: 'number'}                    | '1'                         | false
          {type: 'boolean'}                   | true                        | true
          {type: 'boolean'}                   | 1                           | false
          {type: ['null', 'string']}          | null                        | true
          {type: ['null', 'string']}          | 1                           | false
          {type: 'string'}                    | ['a']                       | false
          {bsonType: 'int'}                   | 1                           | true
          {bsonType: 'int'}                   | 1.5                         | false
          {bsonType: 'number'}                | 1.5                         | true
          {bsonType: ['objectId', 'date']}    | {$oid: '000000000000000000000001'} | true
          {bsonType: 'bool'}                  | false                       | true
          {minimum: 3}                        | 3                           | true
          {minimum: 3}                        | 2.5                         | false
          {minimum: 3}                        | 'x'                         | true
          {minimum: 3}                        | [1]                         | true
          {minimum: 3, exclusiveMinimum: true} | 3                          | false
          {minimum: 3, exclusiveMinimum: false} | 3                         | true
          {maximum: 3}                        | {$numberDecimal: '3.0'}     | true
          {maximum: 3}                        | {$numberLong: '4'}          | false
          {maximum: 3, exclusiveMaximum: true} | 3                          | false
          {maximum: 3}                        | {$numberDouble: 'NaN'}      | false
          {multipleOf: 0.1}                   | 1.1                         | true
          {multipleOf: 2.1}                   | 1.1                         | false
          {multipleOf: 3}                     | {$numberLong: '9'}          | true
          {multipleOf: 3}                     | {$numberDecimal: '-9'}      | true
          {multipleOf: 3}                     | {$numberDecimal: '-0'}      | true
          {multipleOf: 3}                     | {$numberDouble: 'Infinity'} | false
          {multipleOf: 3}                     | 'x'                         | true
          {minLength: 3}                      | 'äöü'                       | true
          {minLength: 3}                      | 'äö'                        | false
          {maxLength: 1}                      | '\uD83D\uDE00'              | true
          {maxLength: 1}                      | 'ab'                        | false
          {maxLength: 1}                      | 12345                       | true
          {pattern: '^a.c$'}                  | 'abc'                       | true
          {pattern: '^a.c$'}                  | 'abd'                       | false
          {pattern: 'b'}                      | 'abc'                       | true
          {pattern: 'b'}                      | 5                           | true
          {minItems: 2}                       | [1]                         | false
          {minItems: 2}                       | [1, 2]                      | true
          {minItems: 2}                       | 'x'                         | true
          {maxItems: 1}                       | [1, 2]                      | false
          {maxItems: 0}                       | []                          | true
          {uniqueItems: true}                 | [1, 2, 1.0]                 | false
          {uniqueItems: true}                 | [{a: 1, b: 2}, {b: 2, a: 1}] | false
          {uniqueItems: true}                 | [[1, 2], [2, 1]]            | true
          {uniqueItems: false}                | [1, 1]                      | true
          {items: {type: 'number'}}           | [1, 2.5]                    | true
          {items: {type: 'number'}}           | [1, 'x']                    | false
          {items: {type: 'number'}}           | []                          | true
          {items: {type: 'number'}}           | 'x'                         | true
          {items: [{type: 'number'}, {type: 'string'}]} | [1]               | true
          {items: [{type: 'number'}, {type: 'string'}]} | [1, 'x', {}]      | true
          {items: [{type: 'number'}, {type: 'string'}]} | [1, 2]            | false
          {items: [{}], additionalItems: false} | [1]                       | true
          {items: [{}], additionalItems: false} | [1, 2]                    | false
          {items: [{}], additionalItems: true}  | [1, 2]                    | true
          {items: [{}], additionalItems: {type: 'string'}} | [1, 'a', 'b']  | true
          {items: [{}], additionalItems: {type: 'string'}} | [1, 'a', 2]    | false
          {additionalItems: false}            | [1, 2]                      | true
          {items: {}, additionalItems: false} | [1, 2]                      | true
          {properties: {b: {type: 'string'}}} | {b: 'x'}                    | true
          {properties: {b: {type: 'string'}}} | {b: 1}                      | false
          {properties: {b: {type: 'string'}}} | {}                          | true
          {properties: {b: {type: 'string'}}} | 5                           | true
          {required: ['b', 'c']}              | {b: 1, c: null}             | true
          {required: ['b', 'c']}              | {b: 1}                      | false
          {required: ['b']}                   | [{b: 1}]                    | true
          {patternProperties: {'^s_': {type: 'string'}}} | {s_a: 'x', n: 1} | true
          {patternProperties: {'^s_': {type: 'string'}}} | {s_a: 1}         | false
          {properties: {b: {}}, additionalProperties: false} | {b: 1}       | true
          {properties: {b: {}}, additionalProperties: false} | {b: 1, c: 1} | false
          {patternProperties: {'^s': {}}, additionalProperties: false} | {s1: 1} | true
          {patternProperties: {'^s': {}}, additionalProperties: false} | {t1: 1} | false
          {additionalProperties: {type: 'number'}} | {b: 1}                 | true
          {additionalProperties: {type: 'number'}} | {b: 'x'}               | false
          {additionalProperties: true}        | {b: 'x'}                    | true
          {minProperties: 1}                  | {}                          | false
          {maxProperties: 1}                  | {b: 1, c: 1}                | false
          {maxProperties: 1}                  | [1, 2]                      | true
          {dependencies: {b: ['c']}}          | {b: 1}                      | false
          {dependencies: {b: ['c']}}          | {b: 1, c: 1}                | true
          {dependencies: {b: ['c']}}          | {d: 1}                      | true
          {dependencies: {b: {required: ['c']}}} | {b: 1}                   | false
          {dependencies: {b: {properties: {c: {type: 'string'}}}}} | {b: 1, c: 'x'} | true
          {dependencies: {title: 'x', b: ['c']}} | {b: 1}                   | false
          {allOf: [{minimum: 1}, {maximum: 3}]} | 2                         | true
          {allOf: [{minimum: 1}, {maximum: 3}]} | 4                         | false
          {anyOf: [{minimum: 5}, {maximum: 3}]} | 4                         | false
          {anyOf: [{minimum: 5}, {maximum: 3}]} | 2                         | true
          {oneOf: [{minimum: 1}, {maximum: 3}]} | 2                         | false
          {oneOf: [{minimum: 1}, {maximum: 3}]} | 4                         | true
          {oneOf: [{minimum: 9}, {maximum: 3}]} | 5                         | false
          {not: {type: 'string'}}             | 1                           | true
          {not: {type: 'string'}}             | 'x'                         | false
          {enum: [1, 'x', {b: 1, c: 2}]}      | 1.0                         | true
          {enum: [1, 'x', {b: 1, c: 2}]}      | {c: 2, b: 1}                | true
          {enum: [1, 'x', {b: 1, c: 2}]}      | [1]                         | false
          {enum: [null]}                      | null                        | true
          {title: 't', description: 'd'}      | 1                           | true
          {}                                  | 1                           | true
          """)
  void schemasOfAProperty(String schema, String value, boolean expected) {
    String whole = "{properties: {a: " + schema + "}}";
    assertThat(matches(whole, "{a: " + value + "}"))
        .as(schema + " on " + value)
        .isEqualTo(expected);
    // A property that is missing is never wrong, unless it is required.
    assertThat(matches(whole, "{b: 1}")).isTrue();
    assertThat(matches("{required: ['a'], properties: {a: " + schema + "}}", "{b: 1}")).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          {type: 'object'}                          | true
          {bsonType: ['object', 'string']}          | true
          {type: 'string'}                          | false
          {minimum: 5, minLength: 5, maxItems: 0}   | true
          {required: ['_id', 'a']}                  | true
          {required: ['z']}                         | false
          {enum: [{_id: 1, a: {b: 2}}]}             | true
          {enum: [{a: {b: 2}, _id: 1}, 5]}          | true
          {enum: [5]}                               | false
          {maxProperties: 2}                        | true
          {maxProperties: 1}                        | false
          {properties: {a: {properties: {b: {minimum: 3}}}}} | false
          {properties: {'a.b': {minimum: 3}}}       | false
          {allOf: [{type: 'string'}]}               | false
          {not: {type: 'string'}}                   | true
          """)
  void schemasOfTheDocument(String schema, boolean expected) {
    assertThat(matches(schema, "{_id: 1, a: {b: 2}}")).as(schema).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          {foo: 1}                         |  9 | Unknown $jsonSchema keyword: foo
          {$ref: 'x'}                      |  9 | $jsonSchema keyword '$ref' is not currently supported
          {$schema: 'x'}                   |  9 | $jsonSchema keyword '$schema' is not currently supported
          {default: 1}                     |  9 | $jsonSchema keyword 'default' is not currently supported
          {definitions: {}}                |  9 | $jsonSchema keyword 'definitions' is not currently supported
          {format: 'x'}                    |  9 | $jsonSchema keyword 'format' is not currently supported
          {id: 'x'}                        |  9 | $jsonSchema keyword 'id' is not currently supported
          {type: 'integer'}                |  9 | $jsonSchema type 'integer' is not currently supported.
          {type: ['integer']}              |  9 | $jsonSchema type 'integer' is not currently supported.
          {type: 5}                        | 14 | $jsonSchema keyword 'type' must be either a string or an array of strings
          {type: [5]}                      | 14 | $jsonSchema keyword 'type' array elements must be strings
          {type: ['null', 'null']}         |  9 | $jsonSchema keyword 'type' has duplicate value: null
          {type: []}                       |  9 | $jsonSchema keyword 'type' must name at least one type
          {type: 'bool'}                   |  2 | Unknown type name alias: bool
          {bsonType: 'boolean'}            |  2 | Unknown type name alias: boolean
          {type: 'null', bsonType: 'null'} |  9 | Cannot specify both $jsonSchema keywords 'type' and 'bsonType'
          {minimum: 'x'}                   | 14 | $jsonSchema keyword 'minimum' must be a number
          {maximum: 'x'}                   | 14 | $jsonSchema keyword 'maximum' must be a number
          {minimum: 1, exclusiveMinimum: 1} | 14 | $jsonSchema keyword 'exclusiveMinimum' must be a boolean
          {exclusiveMinimum: true}         |  9 | $jsonSchema keyword 'minimum' must be a present if exclusiveMinimum is present
          {exclusiveMaximum: true}         |  9 | $jsonSchema keyword 'maximum' must be a present if exclusiveMaximum is present
          {multipleOf: 'x'}                | 14 | $jsonSchema keyword 'multipleOf' must be a number
          {multipleOf: 0}                  |  9 | $jsonSchema keyword 'multipleOf' must have a positive value
          {multipleOf: -1.5}               |  9 | $jsonSchema keyword 'multipleOf' must have a positive value
          {minLength: 'x'}                 |  9 | Expected a number in: minLength: "x"
          {minLength: -1}                  |  9 | Expected a non-negative number in: minLength: -1
          {maxLength: 1.5}                 |  9 | Expected an integer: maxLength: 1.5
          {pattern: 5}                     | 14 | $jsonSchema keyword 'pattern' must be a string
          {minItems: -1}                   |  9 | Expected a non-negative number in: minItems: -1
          {uniqueItems: 1}                 | 14 | $jsonSchema keyword 'uniqueItems' must be a boolean
          {items: 1}                       | 14 | $jsonSchema keyword 'items' must be an array or an object, not int
          {items: [1]}                     | 14 | $jsonSchema keyword 'items' requires that each element of the array is an object, but found a int
          {additionalItems: 1}             | 14 | $jsonSchema keyword 'additionalItems' must be either an object or a boolean, but got a int
          {properties: 1}                  | 14 | $jsonSchema keyword 'properties' must be an object
          {properties: {a: 1}}             | 14 | Nested schema for $jsonSchema property 'a' must be an object
          {patternProperties: 1}           | 14 | $jsonSchema keyword 'patternProperties' must be an object
          {patternProperties: {a: 1}}      | 14 | $jsonSchema keyword 'patternProperties' has property 'a' which is not an object
          {additionalProperties: 1}        | 14 | $jsonSchema keyword 'additionalProperties' must be an object or a boolean
          {required: 'a'}                  | 14 | $jsonSchema keyword 'required' must be an array, but found an element of type string
          {required: [1]}                  | 14 | $jsonSchema keyword 'required' must be an array of strings, but found an element of type: int
          {required: []}                   |  9 | $jsonSchema keyword 'required' cannot be an empty array
          {required: ['a', 'a']}           |  9 | $jsonSchema keyword 'required' array cannot contain duplicate values
          {dependencies: 1}                | 14 | $jsonSchema keyword 'dependencies' must be an object
          {dependencies: {a: 1}}           | 14 | property 'a' in $jsonSchema keyword 'dependencies' must be either an object or an array
          {dependencies: {a: []}}          |  9 | property 'a' in $jsonSchema keyword 'dependencies' cannot be an empty array
          {dependencies: {a: [1]}}         | 14 | array 'a' in $jsonSchema keyword 'dependencies' can only contain strings, but found element of type: int
          {dependencies: {a: ['b', 'b']}}  |  9 | array 'a' in $jsonSchema keyword 'dependencies' contains duplicate element: b
          {allOf: 1}                       | 14 | $jsonSchema keyword 'allOf' must be an array
          {anyOf: []}                      |  2 | $jsonSchema keyword 'anyOf' must be a non-empty array
          {oneOf: [1]}                     | 14 | $jsonSchema keyword 'oneOf' must be an array of objects, but found an element of type int
          {not: 1}                         | 14 | $jsonSchema keyword 'not' must be an object, but found an element of type int
          {enum: 1}                        | 14 | $jsonSchema keyword 'enum' must be an array, but found an element of type int
          {enum: []}                       |  9 | $jsonSchema keyword 'enum' cannot be an empty array
          {enum: [1, 1.0]}                 |  9 | $jsonSchema keyword 'enum' array cannot contain duplicate values.
          {title: 1}                       | 14 | $jsonSchema keyword 'title' must be of type string
          {description: 1}                 | 14 | $jsonSchema keyword 'description' must be of type string
          {encrypt: {}}                    | 224 | Encryption-related validator keywords are not allowed in this context
          """)
  void refusedSchemas(String schema, int code, String message) {
    for (String nested : new String[] {schema, "{properties: {a: " + schema + "}}"}) {
      CommandException error =
          catchThrowableOfType(
              CommandException.class,
              () -> JsonSchema.parse(RawDocument.parse(nested), WorkMeter.unchecked()));
      assertThat(error).as(nested).isNotNull();
      assertThat(error.getMessage()).isEqualTo(message);
      assertThat(error.code().code()).isEqualTo(code);
    }
  }

  @Test
  void aKeywordStandsOnce() {
    byte[] twice = RawDocument.parse("{title: 'a', titlf: 'b'}").toByteArray();
    for (int i = 0; i < twice.length; i++) {
      if (twice[i] == 'f') {
        twice[i] = 'e';
      }
    }
    CommandException error =
        catchThrowableOfType(
            CommandException.class,
            () -> JsonSchema.parse(RawDocument.of(twice), WorkMeter.unchecked()));
    assertThat(error).hasMessage("Duplicate $jsonSchema keyword: title");
  }

  @Test
  void everyKeywordStandsInTheTableOnce() {
    Stream<String> names = SchemaKeywords.rows().stream().map(SchemaKeyword::name);
    assertThat(names.collect(Collectors.toSet())).hasSameSizeAs(SchemaKeywords.rows());
  }
}
