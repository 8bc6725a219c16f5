package dev.wisent.query.expression.string;

import dev.wisent.query.expression.ExpressionCases;
import org.junit.jupiter.api.Test;

class StringExpressionsTest {
  private static final String DOCUMENT =
      "{s: 'Hello', u: 'cafétéria', n: null, i: 5, l: ['a'], e: '', t: '  x y  ', d: {$date: 0},"
          + " r: /L+/i, f: 2.5, sp: 'a,b,,c', emoji: 'a😀b'}";

  @Test
  void plainFunctions() {
    ExpressionCases.check(
        DOCUMENT,
        """
        {$concat: ['$s', ' ', '$u']} => 'Hello cafétéria'
        {$concat: []} => ''
        {$concat: ['$s', '$none']} => null
        {$concat: ['$s', '$i']} !! 16702 $concat only supports strings, not int
        {$toUpper: '$u'} => 'CAFéTéRIA'
        {$toLower: '$s'} => 'hello'
        {$toLower: '$none'} => ''
        {$toUpper: '$f'} => '2.5'
        {$toUpper: '$d'} => '1970-01-01T00:00:00.000Z'
        {$toUpper: '$l'} !! 16007 can't convert from BSON type array to String
        {$strcasecmp: ['$s', 'HELLO']} => 0
        {$strcasecmp: ['$s', 'a']} => 1
        {$strcasecmp: ['$none', 'a']} => -1
        {$strLenBytes: '$u'} => 11
        {$strLenCP: '$u'} => 9
        {$strLenCP: '$emoji'} => 3
        {$strLenBytes: '$none'} !! 34473 $strLenBytes requires a string argument, found: missing
        {$strLenCP: '$i'} !! 34471 $strLenCP requires a string argument, found: int
        {$split: ['$sp', ',']} => ['a', 'b', '', 'c']
        {$split: ['$s', 'x']} => ['Hello']
        {$split: ['$none', 'x']} => null
        {$split: ['$i', 'x']} !! 40085 $split requires an expression that evaluates to a string as a first argument, found: int
        {$split: ['$s', 5]} !! 40086 $split requires an expression that evaluates to a string as a second argument, found: int
        {$split: ['$s', '']} !! 40087 $split requires a non-empty separator
        """);
  }

  @Test
  void parts() {
    ExpressionCases.check(
        DOCUMENT,
        """
        {$substr: ['$s', 1, 2]} => 'el'
        {$substrBytes: ['$s', 1, -1]} => 'ello'
        {$substrBytes: ['$s', 9, 1]} => ''
        {$substrBytes: ['$none', 0, 1]} => ''
        {$substrBytes: ['$i', 0, 1]} => '5'
        {$substrBytes: ['$s', 'x', 1]} !! 16034 $substrBytes:  starting index must be a numeric type (is BSON type string)
        {$substrBytes: ['$s', 0, '$none']} !! 16035 $substrBytes:  length must be a numeric type (is BSON type missing)
        {$substrBytes: ['$s', -1, 1]} !! 50752 $substrBytes:  starting index must be non-negative (got: -1)
        {$substrBytes: ['$u', 4, 1]} !! 28656 $substrBytes:  Invalid range, starting index is a UTF-8 continuation byte.
        {$substrBytes: ['$u', 0, 4]} !! 28657 $substrBytes:  Invalid range, ending index is in the middle of a UTF-8 character.
        {$substrCP: ['$u', 3, 3]} => 'été'
        {$substrCP: ['$emoji', 1, 1]} => '😀'
        {$substrCP: ['$s', 9, 1]} => ''
        {$substrCP: ['$s', 'x', 1]} !! 34450 $substrCP: starting index must be a numeric type (is BSON type string)
        {$substrCP: ['$s', 1.5, 1]} !! 34451 $substrCP: starting index cannot be represented as a 32-bit integral value: 1.5
        {$substrCP: ['$s', 0, 'x']} !! 34452 $substrCP: length must be a numeric type (is BSON type string)
        {$substrCP: ['$s', 0, 1.5]} !! 34453 $substrCP: length cannot be represented as a 32-bit integral value: 1.5
        {$substrCP: ['$s', 0, -1]} !! 34454 $substrCP: length must be a nonnegative integer.
        {$substrCP: ['$s', -1, 1]} !! 34455 $substrCP: the starting index must be nonnegative integer.
        {$indexOfBytes: ['$u', 't']} => 5
        {$indexOfCP: ['$u', 't']} => 4
        {$indexOfBytes: ['$s', 'l', 3]} => 3
        {$indexOfBytes: ['$s', 'l', 0, 2]} => -1
        {$indexOfCP: ['$s', 'l', 3, 4]} => 3
        {$indexOfCP: ['$e', '']} => 0
        {$indexOfCP: ['$s', 'z']} => -1
        {$indexOfBytes: ['$n', 'z']} => null
        {$indexOfBytes: ['$i', 'z']} !! 40091 $indexOfBytes requires a string as the first argument, found: int
        {$indexOfBytes: ['$s', '$none']} !! 40092 $indexOfBytes requires a string as the second argument, found: missing
        {$indexOfCP: ['$i', 'z']} !! 40093 $indexOfCP requires a string as the first argument, found: int
        {$indexOfCP: ['$s', 5]} !! 40094 $indexOfCP requires a string as the second argument, found: int
        {$indexOfCP: ['$s', 'l', -1]} !! 40097 $indexOfCP requires a nonnegative starting index, found: -1
        """);
  }

  @Test
  void trimAndReplace() {
    ExpressionCases.check(
        DOCUMENT,
        """
        {$trim: {input: '$t'}} => 'x y'
        {$ltrim: {input: '$t'}} => 'x y  '
        {$rtrim: {input: '$t'}} => '  x y'
        {$trim: {input: '$s', chars: 'oH'}} => 'ell'
        {$trim: {input: '$none'}} => null
        {$trim: {input: '$s', chars: '$n'}} => null
        {$trim: 1} !! 50696 $trim only supports an object as an argument, found int
        {$trim: {chars: 'x'}} !! 50695 $trim requires an 'input' field
        {$ltrim: {input: 'x', y: 1}} !! 50694 $ltrim found an unknown argument: y
        {$rtrim: {input: '$i'}} !! 50699 $rtrim requires its input to be a string, got 5 (of type int) instead.
        {$trim: {input: 'x', chars: 5}} !! 50700 $trim requires 'chars' to be a string, got 5 (of type int) instead.
        {$replaceOne: {input: '$s', find: 'l', replacement: 'L'}} => 'HeLlo'
        {$replaceAll: {input: '$s', find: 'l', replacement: 'L'}} => 'HeLLo'
        {$replaceAll: {input: '$s', find: 'z', replacement: 'L'}} => 'Hello'
        {$replaceAll: {input: '$none', find: 'z', replacement: 'L'}} => null
        {$replaceOne: 1} !! 51751 $replaceOne requires an object as an argument, found: int
        {$replaceOne: {x: 1}} !! 51750 $replaceOne found an unknown argument: x
        {$replaceOne: {find: 'a', replacement: 'b'}} !! 51749 $replaceOne requires 'input' to be specified
        {$replaceOne: {input: 'a', replacement: 'b'}} !! 51748 $replaceOne requires 'find' to be specified
        {$replaceAll: {input: 'a', find: 'b'}} !! 51747 $replaceAll requires 'replacement' to be specified
        {$replaceAll: {input: 5, find: 'b', replacement: 'c'}} !! 51746 $replaceAll requires that 'input' be a string, found: 5
        {$replaceAll: {input: 'a', find: 5, replacement: 'c'}} !! 51745 $replaceAll requires that 'find' be a string, found: 5
        {$replaceAll: {input: 'a', find: 'b', replacement: 5}} !! 51744 $replaceAll requires that 'replacement' be a string, found: 5
        """);
  }

  @Test
  void regularExpressions() {
    ExpressionCases.check(
        DOCUMENT,
        """
        {$regexFind: {input: '$s', regex: 'l(.)'}} => {match: 'll', idx: 2, captures: ['l']}
        {$regexFind: {input: '$u', regex: 't'}} => {match: 't', idx: 4, captures: []}
        {$regexFind: {input: '$s', regex: '(x)?H'}} => {match: 'H', idx: 0, captures: [null]}
        {$regexFind: {input: '$s', regex: 'z'}} => null
        {$regexFind: {input: '$none', regex: 'z'}} => null
        {$regexFind: {input: '$s', regex: '$n'}} => null
        {$regexFind: {input: '$s', regex: '$r'}} => {match: 'll', idx: 2, captures: []}
        {$regexFindAll: {input: '$s', regex: 'l'}} => [{match: 'l', idx: 2, captures: []}, {match: 'l', idx: 3, captures: []}]
        {$regexFindAll: {input: '$none', regex: 'l'}} => []
        {$regexFindAll: {input: 'ab', regex: 'x*'}} => [{match: '', idx: 0, captures: []}, {match: '', idx: 1, captures: []}]
        {$regexFindAll: {input: '', regex: '^'}} => [{match: '', idx: 0, captures: []}]
        {$regexMatch: {input: '$s', regex: 'h', options: 'i'}} => true
        {$regexMatch: {input: '$s', regex: 'h'}} => false
        {$regexMatch: {input: '$n', regex: 'h'}} => false
        {$regexMatch: 1} !! 51103 $regexMatch expects an object of named arguments but found: int
        {$regexMatch: {input: 'x', regex: 'x', y: 1}} !! 31024 $regexMatch found an unknown argument: y
        {$regexFind: {regex: 'x'}} !! 31022 $regexFind requires 'input' parameter
        {$regexFind: {input: 'x'}} !! 31023 $regexFind requires 'regex' parameter
        {$regexFind: {input: 5, regex: 'x'}} !! 51104 $regexFind needs 'input' to be of type string
        {$regexFind: {input: 'x', regex: 5}} !! 51105 $regexFind needs 'regex' to be of type string or regex
        {$regexFind: {input: 'x', regex: 'x', options: 5}} !! 51106 $regexFind needs 'options' to be of type string
        {$regexFind: {input: 'x', regex: '$r', options: 'i'}} !! 51107 $regexFind: found regex option(s) specified in both 'regex' and 'option' fields
        {$regexFind: {input: 'x', regex: 'x', options: 'z'}} !! 51108 $regexFind invalid flag in regex options: z
        {$regexFind: {input: 'x', regex: '('}} !! 51111 Invalid Regex in $regexFind: missing closing parenthesis
        """);
  }
}
