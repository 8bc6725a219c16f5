package dev.wisent.query.expression.convert;

import dev.wisent.query.expression.ExpressionCases;
import org.junit.jupiter.api.Test;

class ConvertExpressionsTest {
  private static final String DOCUMENT =
      "{s: '12', n: null, i: 5, d: 2.9, c: NumberDecimal('3.50'), b: true, t: {$date: 1000}, l:"
          + " [1], o: ObjectId('5ab9cbfa31c2ab715d42129e'), big: NumberLong('5000000000'), u:"
          + " BinData(4, 'AQIDBAUGBwgJCgsMDQ4PEA=='), g: BinData(0, 'AQID')}";

  @Test
  void numbers() {
    ExpressionCases.check(
        DOCUMENT,
        """
        {$toInt: '$s'} => 12
        {$toInt: '$d'} => 2
        {$toInt: '$c'} => 3
        {$toInt: '$b'} => 1
        {$toInt: '$none'} => null
        {$toLong: '-7'} => NumberLong(-7)
        {$toLong: '$t'} => NumberLong(1000)
        {$toDouble: '2.5e3'} => 2500.0
        {$toDouble: '$i'} => 5.0
        {$toDouble: '$c'} => 3.5
        {$toDecimal: '$d'} => NumberDecimal('2.90000000000000')
        {$toDecimal: '1.10'} => NumberDecimal('1.10')
        {$toDecimal: '$b'} => NumberDecimal('1')
        {$convert: {input: '$big', to: 'int', onError: 'large'}} => 'large'
        {$toInt: 1e20} !! 241 Conversion would overflow target type in $convert with no onError value: 1e+20
        {$toLong: {$literal: {$numberDouble: 'NaN'}}} !! 241 Attempt to convert NaN value to integer type in $convert with no onError value
        {$toLong: {$literal: {$numberDouble: 'Infinity'}}} !! 241 Attempt to convert infinity value to integer type in $convert with no onError value
        {$toInt: '1.5'} !! 241 Failed to parse number '1.5' in $convert with no onError value: Did not consume whole string.
        {$toInt: '0x1'} !! 241 Illegal hexadecimal input in $convert with no onError value: 0x1
        {$toInt: '99999999999'} !! 241 Failed to parse number '99999999999' in $convert with no onError value: Overflow
        {$toInt: '$l'} !! 241 Unsupported conversion from array to int in $convert with no onError value
        {$toInt: [1, 2]} !! 50723 $toInt requires a single argument, got 2
        """);
  }

  @Test
  void otherTypes() {
    ExpressionCases.check(
        DOCUMENT,
        """
        {$toString: '$i'} => '5'
        {$toString: '$d'} => '2.9'
        {$toString: 1.0} => '1'
        {$toString: '$c'} => '3.50'
        {$toString: '$b'} => 'true'
        {$toString: '$t'} => '1970-01-01T00:00:01.000Z'
        {$toString: '$o'} => '5ab9cbfa31c2ab715d42129e'
        {$toString: '$u'} => '01020304-0506-0708-090a-0b0c0d0e0f10'
        {$toString: '$g'} => 'AQID'
        {$toString: '$l'} !! 241 Unsupported conversion from array to string in $convert with no onError value
        {$toBool: '$s'} => true
        {$toBool: 0} => false
        {$toBool: '$l'} => true
        {$toBool: '$n'} => null
        {$toDate: '$big'} => {$date: {$numberLong: '5000000000'}}
        {$toDate: '2018-03-20'} => ISODate('2018-03-20T00:00:00Z')
        {$toDate: '$o'} => ISODate('2018-03-27T04:43:38Z')
        {$toDate: '$i'} !! 241 Unsupported conversion from int to date in $convert with no onError value
        {$toObjectId: '5ab9cbfa31c2ab715d42129e'} => ObjectId('5ab9cbfa31c2ab715d42129e')
        {$toObjectId: 'x'} !! 241 Failed to parse objectId 'x' in $convert with no onError value: Invalid string length for parsing to OID, expected 24 but found 1
        {$toUUID: '01020304-0506-0708-090a-0b0c0d0e0f10'} => BinData(4, 'AQIDBAUGBwgJCgsMDQ4PEA==')
        {$type: '$i'} => 'int'
        {$type: '$none'} => 'missing'
        {$type: '$l'} => 'array'
        {$isNumber: '$c'} => true
        {$isNumber: '$s'} => false
        """);
  }

  @Test
  void convert() {
    ExpressionCases.check(
        DOCUMENT,
        """
        {$convert: {input: '$s', to: 'int'}} => 12
        {$convert: {input: '$s', to: 16}} => 12
        {$convert: {input: 'x', to: 'int', onError: 'bad'}} => 'bad'
        {$convert: {input: 'x', to: 'int', onError: '$none'}} => missing
        {$convert: {input: '$none', to: 'int', onNull: 0}} => 0
        {$convert: {input: '$s', to: '$n'}} => null
        {$convert: {input: '$g', to: 'string', format: 'hex'}} => '010203'
        {$convert: {input: 'AQID', to: 'binData', format: 'base64'}} => BinData(0, 'AQID')
        {$convert: {input: 'abc', to: {type: 'binData', subtype: 0}, format: 'utf8'}} => BinData(0, 'YWJj')
        {$convert: 1} !! 9 $convert expects an object of named arguments but found: int
        {$convert: {input: 1, to: 'int', x: 1}} !! 9 $convert found an unknown argument: x
        {$convert: {to: 'int'}} !! 9 Missing 'input' parameter to $convert
        {$convert: {input: 1}} !! 9 Missing 'to' parameter to $convert
        {$convert: {input: 1, to: 'foo'}} !! 2 Unknown type name: foo
        {$convert: {input: 1, to: 1.5}} !! 9 In $convert, numeric 'to' argument is not an integer
        {$convert: {input: 1, to: 100}} !! 9 In $convert, numeric value for 'to' does not correspond to a BSON type: 100
        {$convert: {input: 1, to: true}} !! 9 $convert's 'to' argument must be a string or number, but is bool
        {$convert: {input: 1, to: 'missing'}} !! 241 Unsupported conversion from int to missing in $convert with no onError value
        {$convert: {input: '$g', to: 'string'}} !! 4341115 Format must be specified when converting from 'binData' to 'string'
        """);
  }
}
