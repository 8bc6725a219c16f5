package dev.wisent.query.expression.object;

import dev.wisent.query.expression.ExpressionCases;
import org.junit.jupiter.api.Test;

class ObjectExpressionsTest {
  private static final String DOCUMENT =
      "{o: {a: 1, b: {c: 2}}, n: null, i: 5, p: {'x.y': 1, '$z': 2, w: {v: 3}}, l: [1]}";

  @Test
  void mergeObjects() {
    ExpressionCases.check(
        DOCUMENT,
        """
        {$mergeObjects: ['$o', {b: 5, d: 6}]} => {a: 1, b: 5, d: 6}
        {$mergeObjects: ['$none', '$n']} => {}
        {$mergeObjects: '$o'} => {a: 1, b: {c: 2}}
        {$mergeObjects: ['$o', '$i']} !! 40400 $mergeObjects requires object inputs, but input 5 is of type int
        {$mergeObjects: [['$o']]} !! 40400 $mergeObjects requires object inputs, but input [ { a: 1, b: { c: 2 } } ] is of type array
        """);
  }

  @Test
  void arraysAndObjects() {
    ExpressionCases.check(
        DOCUMENT,
        """
        {$objectToArray: '$o'} => [{k: 'a', v: 1}, {k: 'b', v: {c: 2}}]
        {$objectToArray: {}} => []
        {$objectToArray: '$none'} => null
        {$objectToArray: '$i'} !! 40390 $objectToArray requires a document input, found: int
        {$arrayToObject: {$objectToArray: '$o'}} => {a: 1, b: {c: 2}}
        {$arrayToObject: [[['a', 1], ['b', 2], ['a', 3]]]} => {a: 3, b: 2}
        {$arrayToObject: [[]]} => {}
        {$arrayToObject: '$none'} => null
        {$arrayToObject: '$i'} !! 40386 $arrayToObject requires an array input, found: int
        {$arrayToObject: '$l'} !! 40398 Unrecognised input type format for $arrayToObject: int
        {$arrayToObject: [[['a', 1], 5]]} !! 40396 $arrayToObject requires a consistent input format. Elements mustall be arrays or all be objects. Array was detected, now found: int
        {$arrayToObject: [[{k: 'a', v: 1}, 5]]} !! 40391 $arrayToObject requires a consistent input format. Elements mustall be arrays or all be objects. Object was detected, now found: int
        {$arrayToObject: [[['a']]]} !! 40397 $arrayToObject requires an array of size 2 arrays,found array of size: 1
        {$arrayToObject: [[[1, 2]]]} !! 40395 $arrayToObject requires an array of key-value pairs, where the key must be of type string. Found key type: int
        {$arrayToObject: [[{k: 'a'}]]} !! 40392 $arrayToObject requires an object keys of 'k' and 'v'. Found incorrect number of keys:1
        {$arrayToObject: [[{k: 'a', x: 1}]]} !! 40393 $arrayToObject requires an object with keys 'k' and 'v'. Missing either or both keys from: { k: "a", x: 1 }
        {$arrayToObject: [[{k: 1, v: 1}]]} !! 40394 $arrayToObject requires an object with keys 'k' and 'v', where the value of 'k' must be of type string. Found type: int
        """);
  }

  @Test
  void fieldsByName() {
    ExpressionCases.check(
        DOCUMENT,
        """
        {$getField: 'i'} => 5
        {$getField: {field: 'x.y', input: '$p'}} => 1
        {$getField: {field: {$literal: '$z'}, input: '$p'}} => 2
        {$getField: {$literal: '$z'}} => missing
        {$getField: {field: 'a', input: '$n'}} => null
        {$getField: {field: 'a', input: '$none'}} => missing
        {$getField: {field: 'a', input: '$i'}} => missing
        {$getField: {field: 'a', input: 1, x: 1}} !! 3041701 $getField found an unknown argument: x
        {$getField: {input: 1}} !! 3041702 $getField requires 'field' to be specified
        {$getField: {field: 'a'}} !! 3041703 $getField requires 'input' to be specified
        {$getField: '$i'} !! 5654600 '$i' is a field path reference which is not allowed in this context. Did you mean {$literal: '$i'}?
        {$getField: {$cond: [1, 'a', 'b']}} !! 5654601 $getField requires 'field' to evaluate to a constant, but got a non-constant argument
        {$getField: 5} !! 5654602 $getField requires 'field' to evaluate to type String, but got int
        {$setField: {field: 'x.y', input: '$p', value: 9}} => {'x.y': 9, '$z': 2, w: {v: 3}}
        {$setField: {field: {$literal: '$q'}, input: '$o', value: '$i'}} => {a: 1, b: {c: 2}, '$q': 5}
        {$setField: {field: 'a', input: '$o', value: '$$REMOVE'}} => {b: {c: 2}}
        {$setField: {field: 'a', input: '$none', value: 1}} => null
        {$unsetField: {field: 'a', input: '$o'}} => {b: {c: 2}}
        {$setField: 1} !! 4161100 $setField only supports an object as its argument
        {$setField: {field: 'a', input: 1, value: 1, x: 1}} !! 4161101 $setField found an unknown argument: x
        {$setField: {input: 1, value: 1}} !! 4161102 $setField requires 'field' to be specified
        {$setField: {field: 'a', input: 1}} !! 4161103 $setField requires 'value' to be specified
        {$unsetField: {field: 'a'}} !! 4161109 $unsetField requires 'input' to be specified
        {$setField: {field: 'a', input: '$i', value: 1}} !! 4161105 $setField requires 'input' to evaluate to type Object, but got int
        {$setField: {field: '$i', input: '$o', value: 1}} !! 4161108 '$i' is a field path reference which is not allowed in this context. Did you mean {$literal: '$i'}?
        {$unsetField: {field: 5, input: '$o'}} !! 4161107 $unsetField requires 'field' to evaluate to type String, but got int
        """);
  }
}
