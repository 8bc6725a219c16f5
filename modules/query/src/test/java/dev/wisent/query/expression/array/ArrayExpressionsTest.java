package dev.wisent.query.expression.array;

import dev.wisent.query.expression.ExpressionCases;
import org.junit.jupiter.api.Test;

class ArrayExpressionsTest {
  private static final String DOCUMENT =
      "{l: [3, 1, 2], e: [], n: null, i: 5, d: [{x: 2, y: 1}, {x: 1, y: 2}], m: [1, null, 'a']}";

  @Test
  void elements() {
    ExpressionCases.check(
        DOCUMENT,
        """
        {$arrayElemAt: ['$l', 0]} => 3
        {$arrayElemAt: ['$l', -1]} => 2
        {$arrayElemAt: ['$l', 3]} => missing
        {$arrayElemAt: ['$l', -4]} => missing
        {$arrayElemAt: ['$n', 0]} => null
        {$arrayElemAt: ['$none', 0]} => null
        {$arrayElemAt: ['$l', 1.0]} => 1
        {$arrayElemAt: ['$i', 0]} !! 28689 $arrayElemAt's first argument must be an array, but is int
        {$arrayElemAt: ['$l', 'x']} !! 28690 $arrayElemAt's second argument must be a numeric value, but is string
        {$arrayElemAt: ['$l', 1.5]} !! 28691 $arrayElemAt's second argument must be representable as a 32-bit integer: 1.5
        {$first: '$l'} => 3
        {$last: '$l'} => 2
        {$first: '$e'} => missing
        {$last: '$e'} => missing
        {$first: '$none'} => null
        {$last: '$i'} !! 28689 $last's argument must be an array, but is int
        {$firstN: {n: 2, input: '$l'}} => [3, 1]
        {$lastN: {n: 2, input: '$l'}} => [1, 2]
        {$firstN: {n: 9, input: '$m'}} => [1, null, 'a']
        {$minN: {n: 2, input: '$l'}} => [1, 2]
        {$maxN: {n: 2, input: '$m'}} => ['a', 1]
        {$firstN: {n: 0, input: '$l'}} !! 5787908 'n' must be greater than 0, found 0
        {$firstN: {n: 'x', input: '$l'}} !! 5787902 Value for 'n' must be of integral type, but found "x"
        {$firstN: {n: 1.5, input: '$l'}} !! 5787903 Value for 'n' must be of integral type, but found 1.5
        {$maxN: {n: 1, input: '$i'}} !! 5788200 Input must be an array
        {$minN: 1} !! 5787900 specification must be an object; found $minN: 1
        {$lastN: 1} !! 5787801 specification must be an object; found $lastN: 1
        {$firstN: {input: '$l'}} !! 5787906 Missing value for 'n'
        {$firstN: {n: 1}} !! 5787907 Missing value for 'input'
        {$firstN: {n: 1, x: 1}} !! 5787901 Unknown argument for 'n' operator: x
        {$in: [2, '$l']} => true
        {$in: [2.0, '$l']} => true
        {$in: ['$none', '$l']} => false
        {$in: [2, '$i']} !! 40081 $in requires an array as a second argument, found: int
        {$in: [2, '$none']} !! 40081 $in requires an array as a second argument, found: missing
        {$indexOfArray: ['$l', 2]} => 2
        {$indexOfArray: ['$l', 9]} => -1
        {$indexOfArray: ['$l', 3, 1]} => -1
        {$indexOfArray: ['$l', 2, 0, 2]} => -1
        {$indexOfArray: ['$none', 2]} => null
        {$indexOfArray: ['$i', 2]} !! 40090 $indexOfArray requires an array as a first argument, found: int
        {$indexOfArray: ['$l', 2, -1]} !! 40097 $indexOfArray requires a nonnegative starting index, found: -1
        {$indexOfArray: ['$l', 2, 'x']} !! 40096 $indexOfArrayrequires an integral starting index, found a value of type: string, with value: "x"
        {$isArray: '$l'} => true
        {$isArray: '$none'} => false
        {$isArray: ['$i']} => false
        {$size: '$l'} => 3
        {$size: '$e'} => 0
        {$size: '$none'} !! 17124 The argument to $size must be an array, but was of type: missing
        {$size: '$i'} !! 17124 The argument to $size must be an array, but was of type: int
        """);
  }

  @Test
  void newArrays() {
    ExpressionCases.check(
        DOCUMENT,
        """
        {$concatArrays: ['$l', [7], '$e']} => [3, 1, 2, 7]
        {$concatArrays: []} => []
        {$concatArrays: ['$l', '$none']} => null
        {$concatArrays: ['$l', '$i']} !! 28664 $concatArrays only supports arrays, not int
        {$range: [0, 5, 2]} => [0, 2, 4]
        {$range: [3, 0, -1]} => [3, 2, 1]
        {$range: [0, 3]} => [0, 1, 2]
        {$range: [3, 0]} => []
        {$range: ['x', 1]} !! 34443 $range requires a numeric starting value, found value of type: string
        {$range: [1.5, 1]} !! 34444 $range requires a starting value that can be represented as a 32-bit integer, found value: 1.5
        {$range: [1, '$none']} !! 34445 $range requires a numeric ending value, found value of type: missing
        {$range: [1, 2147483648]} !! 34446 $range requires an ending value that can be represented as a 32-bit integer, found value: 2147483648
        {$range: [1, 2, 'x']} !! 34447 $range requires a numeric step value, found value of type:string
        {$range: [1, 2, 0.5]} !! 34448 $range requires a step value that can be represented as a 32-bit integer, found value: 0.5
        {$range: [1, 2, 0]} !! 34449 $range requires a non-zero step value
        {$range: [0, 2147483647]} !! 146 $range would use too much memory (34359738352 bytes) and cannot spill to disk. Memory limit: 104857600 bytes
        {$reverseArray: '$l'} => [2, 1, 3]
        {$reverseArray: '$none'} => null
        {$reverseArray: '$i'} !! 34435 The argument to $reverseArray must be an array, but was of type: int
        {$slice: ['$l', 2]} => [3, 1]
        {$slice: ['$l', -2]} => [1, 2]
        {$slice: ['$l', 1, 1]} => [1]
        {$slice: ['$l', -9, 2]} => [3, 1]
        {$slice: ['$l', 9, 2]} => []
        {$slice: ['$none', 2]} => null
        {$slice: ['$i', 2]} !! 28724 First argument to $slice must be an array, but is of type: int
        {$slice: ['$l', 'x']} !! 28725 Second argument to $slice must be a numeric value, but is of type: string
        {$slice: ['$l', 1.5]} !! 28726 Second argument to $slice can't be represented as a 32-bit integer: 1.5
        {$slice: ['$l', 1, 'x']} !! 28727 Third argument to $slice must be numeric, but is of type: string
        {$slice: ['$l', 1, 1.5]} !! 28728 Third argument to $slice can't be represented as a 32-bit integer: 1.5
        {$slice: ['$l', 1, 0]} !! 28729 Third argument to $slice must be positive: 0
        {$sortArray: {input: '$l', sortBy: 1}} => [1, 2, 3]
        {$sortArray: {input: '$l', sortBy: -1}} => [3, 2, 1]
        {$sortArray: {input: '$d', sortBy: {x: 1}}} => [{x: 1, y: 2}, {x: 2, y: 1}]
        {$sortArray: {input: '$none', sortBy: 1}} => null
        {$sortArray: {input: '$i', sortBy: 1}} !! 2942504 The input argument to $sortArray must be an array, but was of type: int
        {$sortArray: 1} !! 2942500 $sortArray requires an object as an argument, found: int
        {$sortArray: {input: 1, sortBy: 1, x: 1}} !! 2942501 $sortArray found an unknown argument: x
        {$sortArray: {sortBy: 1}} !! 2942502 $sortArray requires 'input' to be specified
        {$sortArray: {input: 1}} !! 2942503 $sortArray requires 'sortBy' to be specified
        {$zip: {inputs: ['$l', ['a', 'b']]}} => [[3, 'a'], [1, 'b']]
        {$zip: {inputs: ['$l', ['a']], useLongestLength: true}} => [[3, 'a'], [1, null], [2, null]]
        {$zip: {inputs: ['$l', ['a']], useLongestLength: true, defaults: [0, '$i']}} => [[3, 'a'], [1, 5], [2, 5]]
        {$zip: {inputs: ['$l', '$none']}} => null
        {$zip: 1} !! 34460 $zip only supports an object as an argument, found int
        {$zip: {inputs: 1}} !! 34461 inputs must be an array of expressions, found int
        {$zip: {inputs: [], defaults: 1}} !! 34462 defaults must be an array of expressions, found int
        {$zip: {inputs: ['$l'], x: 1}} !! 34464 $zip found an unknown argument: x
        {$zip: {inputs: []}} !! 34465 $zip requires at least one input array
        {$zip: {inputs: ['$l'], defaults: [1]}} !! 34466 cannot specify defaults unless useLongestLength is true
        {$zip: {inputs: ['$l'], defaults: [1, 2], useLongestLength: true}} !! 34467 defaults and inputs must have the same length
        {$zip: {inputs: ['$i']}} !! 34468 $zip found a non-array expression in input: 5
        """);
  }

  @Test
  void withVariables() {
    ExpressionCases.check(
        DOCUMENT,
        """
        {$map: {input: '$l', as: 'v', in: {$gt: ['$$v', 1]}}} => [true, false, true]
        {$map: {input: '$l', in: {$cond: [{$eq: ['$$this', 1]}, '$$REMOVE', '$$this']}}} => [3, null, 2]
        {$map: {input: '$d', as: 'o', in: {$map: {input: '$l', as: 'v', in: {$eq: ['$$o.x', '$$v']}}}}} => [[false, false, true], [false, true, false]]
        {$map: {input: '$none', in: 1}} => null
        {$map: {input: '$i', in: 1}} !! 16883 input to $map must be an array not int
        {$map: 1} !! 16878 $map only supports an object as its argument
        {$map: {in: 1}} !! 16880 Missing 'input' parameter to $map
        {$map: {input: 1}} !! 16882 Missing 'in' parameter to $map
        {$map: {input: 1, in: 1, x: 1}} !! 16879 Unrecognized parameter to $map: x
        {$map: {input: 1, as: 'X', in: 1}} !! 9 'X' starts with an invalid character for a user variable name
        {$filter: {input: '$l', cond: {$gt: ['$$this', 1]}}} => [3, 2]
        {$filter: {input: '$l', as: 'v', cond: {$gt: ['$$v', 1]}, limit: 1}} => [3]
        {$filter: {input: '$l', cond: 1, limit: '$none'}} => [3, 1, 2]
        {$filter: {input: '$none', cond: 1}} => null
        {$filter: {input: '$i', cond: 1}} !! 28651 input to $filter must be an array not int
        {$filter: 1} !! 28646 $filter only supports an object as its argument
        {$filter: {cond: 1}} !! 28648 Missing 'input' parameter to $filter
        {$filter: {input: 1}} !! 28650 Missing 'cond' parameter to $filter
        {$filter: {input: 1, cond: 1, x: 1}} !! 28647 Unrecognized parameter to $filter: x
        {$filter: {input: '$l', cond: 1, limit: 0}} !! 327392 $filter: limit must be greater than 0: 0
        {$filter: {input: '$l', cond: 1, limit: 'x'}} !! 327391 $filter: limit must be represented as a 32-bit integral value: "x"
        {$reduce: {input: '$l', initialValue: [], in: {$concatArrays: [['$$this'], '$$value']}}} => [2, 1, 3]
        {$reduce: {input: '$none', initialValue: 0, in: 1}} => null
        {$reduce: {input: '$e', initialValue: '$i', in: 1}} => 5
        {$reduce: {input: '$i', initialValue: 0, in: 1}} !! 40080 $reduce requires that 'input' be an array, found: 5
        {$reduce: 1} !! 40075 $reduce requires an object as an argument, found: int
        {$reduce: {input: 1, x: 1}} !! 40076 $reduce found an unknown argument: x
        {$reduce: {initialValue: 1, in: 1}} !! 40077 $reduce requires 'input' to be specified
        {$reduce: {input: 1, in: 1}} !! 40078 $reduce requires 'initialValue' to be specified
        {$reduce: {input: 1, initialValue: 1}} !! 40079 $reduce requires 'in' to be specified
        """);
  }

  @Test
  void sets() {
    ExpressionCases.check(
        DOCUMENT,
        """
        {$allElementsTrue: ['$l']} => true
        {$allElementsTrue: ['$m']} => false
        {$allElementsTrue: [[]]} => true
        {$allElementsTrue: ['$none']} !! 17040 $allElementsTrue's argument must be an array, but is missing
        {$anyElementTrue: ['$m']} => true
        {$anyElementTrue: [[0, null]]} => false
        {$anyElementTrue: ['$i']} !! 17041 $anyElementTrue's argument must be an array, but is int
        {$setDifference: ['$l', [1.0, 9]]} => [3, 2]
        {$setDifference: [[2, 2, 1, 2], [1]]} => [2]
        {$setDifference: ['$none', [1]]} => null
        {$setDifference: ['$i', [1]]} !! 17048 both operands of $setDifference must be arrays. First argument is of type: int
        {$setDifference: ['$l', '$i']} !! 17049 both operands of $setDifference must be arrays. Second argument is of type: int
        {$setEquals: ['$l', [1, 2, 3, 3], [2, 1, 3]]} => true
        {$setEquals: ['$l', [1, 2]]} => false
        {$setEquals: ['$l']} !! 17045 $setEquals needs at least two arguments had: 1
        {$setEquals: ['$l', '$none']} !! 17044 All operands of $setEquals must be arrays. One argument is of type: missing
        {$setIntersection: ['$l', [2, 3, 9], [3, 2, 2]]} => [2, 3]
        {$setIntersection: []} => []
        {$setIntersection: ['$l', '$none']} => null
        {$setIntersection: ['$l', '$i']} !! 17047 All operands of $setIntersection must be arrays. One argument is of type: int
        {$setIsSubset: [[1, 1, 2], '$l']} => true
        {$setIsSubset: [[1, 9], '$l']} => false
        {$setIsSubset: ['$none', '$l']} !! 17046 both operands of $setIsSubset must be arrays. First argument is of type: missing
        {$setIsSubset: ['$l', '$i']} !! 17042 both operands of $setIsSubset must be arrays. Second argument is of type: int
        {$setUnion: ['$l', ['b', 1, 'a']]} => [1, 2, 3, 'a', 'b']
        {$setUnion: ['$l', '$n']} => null
        {$setUnion: ['$l', '$i']} !! 17043 All operands of $setUnion must be arrays. One argument is of type: int
        """);
  }
}
