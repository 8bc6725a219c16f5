package dev.wisent.query.expression.value;

import dev.wisent.query.expression.ExpressionCases;
import org.junit.jupiter.api.Test;

class ValueExpressionsTest {
  private static final String DOCUMENT =
      "{s: 'añb', b: BinData(0, 'AQID'), t: Timestamp(5, 7), n: null, i: 1, d: {x: 1}, l: [1]}";

  @Test
  void sizes() {
    ExpressionCases.check(
        DOCUMENT,
        """
        {$binarySize: '$s'} => 4
        {$binarySize: '$b'} => 3
        {$binarySize: '$none'} => null
        {$binarySize: '$i'} !! 51276 $binarySize requires a string or BinData argument, found: int
        {$bsonSize: '$d'} => 12
        {$bsonSize: '$n'} => null
        {$bsonSize: '$l'} !! 31393 $bsonSize requires a document input, found: array
        """);
  }

  @Test
  void timestamps() {
    ExpressionCases.check(
        DOCUMENT,
        """
        {$tsSecond: '$t'} => NumberLong(5)
        {$tsIncrement: '$t'} => NumberLong(7)
        {$tsSecond: '$none'} => null
        {$tsIncrement: '$n'} => null
        {$tsSecond: '$i'} !! 5687301  Argument to $tsSecond must be a timestamp, but is int
        {$tsIncrement: '$l'} !! 5687302  Argument to $tsIncrement must be a timestamp, but is array
        """);
  }

  @Test
  void others() {
    ExpressionCases.check(
        DOCUMENT,
        """
        {$rand: {}} => 0.25
        {$rand: 1} !! 3040501 $rand does not currently accept arguments
        {$toHashedIndexKey: '$i'} => NumberLong('5902408780260971510')
        {$eq: [{$toHashedIndexKey: '$none'}, {$toHashedIndexKey: null}]} => true
        {$meta: 'foo'} !! 17308 Unsupported argument to $meta: foo
        {$function: 1} !! 31260 $function requires an object as an argument, found: int
        {$function: {}} !! 31261 The body function must be specified.
        {$function: {body: 'x'}} !! 31263 The args field must be specified.
        {$function: {body: 'x', args: []}} !! 31418 The lang field must be specified.
        {$function: {body: 'x', args: [], lang: 'lua'}} !! 31419 Currently the only supported language specifier is 'js'.
        {$function: {body: 5, args: [], lang: 'js'}} !! 31262 The body function must be of type string or code
        """);
  }
}
