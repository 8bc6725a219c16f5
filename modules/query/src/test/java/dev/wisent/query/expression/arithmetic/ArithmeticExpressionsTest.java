package dev.wisent.query.expression.arithmetic;

import dev.wisent.query.expression.ExpressionCases;
import org.junit.jupiter.api.Test;

class ArithmeticExpressionsTest {
  private static final String DOCUMENT =
      "{i: 7, l: NumberLong(5), d: 2.5, c: NumberDecimal('1.10'), n: null, s: 'x', t: {$date:"
          + " 1000}, a: [1, 2, 3], max: NumberLong('9223372036854775807'), m: [1, 'x', null, 2.5]}";

  @Test
  void sumsAndDifferences() {
    ExpressionCases.check(
        DOCUMENT,
        """
        {$add: []} => 0
        {$add: ['$i', 1]} => 8
        {$add: ['$i', '$l']} => NumberLong(12)
        {$add: ['$i', '$d']} => 9.5
        {$add: ['$i', '$c']} => NumberDecimal('8.10')
        {$add: [0.1, 0.2, NumberDecimal('1')]} => NumberDecimal('1.300000000000000016653345369377348')
        {$add: [2147483647, 1]} => NumberLong('2147483648')
        {$add: ['$max', 1]} => 9223372036854775808.0
        {$add: ['$max', 1, -1]} => NumberLong('9223372036854775807')
        {$add: [1e308, 1e308, -1e308]} => {$numberDouble: 'Infinity'}
        {$add: ['$t', 5]} => {$date: 1005}
        {$add: [1.6, '$t']} => {$date: 1001}
        {$add: ['$n', 1]} => null
        {$add: ['$none', 1]} => null
        {$add: ['$s', 1]} !! 16554 $add only supports numeric or date types, not string
        {$add: ['$a', 1]} !! 16554 $add only supports numeric or date types, not array
        {$add: ['$t', '$t']} !! 16612 only one date allowed in an $add expression
        {$add: ['$t', '$max']} !! 15 date overflow in $add
        {$subtract: ['$i', 2]} => 5
        {$subtract: [-2147483648, 1]} => NumberLong('-2147483649')
        {$subtract: ['$l', '$d']} => 2.5
        {$subtract: ['$c', 1]} => NumberDecimal('0.10')
        {$subtract: ['$t', 1]} => {$date: 999}
        {$subtract: ['$t', {$date: 1500}]} => NumberLong(-500)
        {$subtract: ['$n', 1]} => null
        {$subtract: ['$t', 'x']} !! 16613 can't $subtract string from Date
        {$subtract: [1, '$t']} !! 16556 can't $subtract date from int
        """);
  }

  @Test
  void productsAndQuotients() {
    ExpressionCases.check(
        DOCUMENT,
        """
        {$multiply: ['$i', 2]} => 14
        {$multiply: []} => 1
        {$multiply: [65536, 65536]} => NumberLong('4294967296')
        {$multiply: ['$max', 2]} => 18446744073709551614.0
        {$multiply: ['$i', '$d']} => 17.5
        {$multiply: ['$d', '$c']} => NumberDecimal('2.7500000000000000')
        {$multiply: ['$none', 2]} => null
        {$multiply: ['$s', 2]} !! 16555 $multiply only supports numeric types, not string
        {$divide: ['$i', 2]} => 3.5
        {$divide: [6, 2]} => 3.0
        {$divide: ['$c', 2]} => NumberDecimal('0.55')
        {$divide: ['$n', 2]} => null
        {$divide: [1, 0]} !! 16608 can't $divide by zero
        {$divide: [1, NumberDecimal('0')]} !! 16608 can't $divide by zero
        {$divide: ['$s', 1]} !! 16609 $divide only supports numeric types, not string and int
        {$mod: [7, 4]} => 3
        {$mod: [-7, 4]} => -3
        {$mod: [NumberLong(7), 4]} => NumberLong(3)
        {$mod: [7, 4.0]} => 3
        {$mod: [7.5, 2]} => 1.5
        {$mod: [7, 2.5]} => 2.0
        {$mod: ['$c', 1]} => NumberDecimal('0.10')
        {$mod: ['$none', 4]} => null
        {$mod: [1, 0]} !! 16610 can't $mod by zero
        {$mod: ['$s', 1]} !! 16611 $mod only supports numeric types, not string and int
        """);
  }

  @Test
  void functionsOfOneNumber() {
    ExpressionCases.check(
        DOCUMENT,
        """
        {$abs: -3} => 3
        {$abs: -2147483648} => NumberLong('2147483648')
        {$abs: NumberDecimal('-1.5')} => NumberDecimal('1.5')
        {$abs: '$none'} => null
        {$abs: '$s'} !! 28765 $abs only supports numeric types, not string
        {$abs: NumberLong('-9223372036854775808')} !! 28680 can't take $abs of long long min
        {$ceil: 1.2} => 2.0
        {$ceil: NumberDecimal('-1.2')} => NumberDecimal('-1')
        {$ceil: 3} => 3
        {$floor: -1.2} => -2.0
        {$floor: NumberDecimal('1.9')} => NumberDecimal('1')
        {$floor: '$n'} => null
        {$floor: '$a'} !! 28765 $floor only supports numeric types, not array
        {$exp: 0} => 1.0
        {$exp: NumberDecimal('1')} => NumberDecimal('2.718281828459045235360287471352662')
        {$ln: 1} => 0.0
        {$ln: NumberDecimal('10')} => NumberDecimal('2.302585092994045684017991454684364')
        {$ln: 0} !! 28766 $ln's argument must be a positive number, but is 0
        {$log10: 1000} => 3.0
        {$log10: NumberDecimal('1000')} => NumberDecimal('3')
        {$log10: -1} !! 28761 $log10's argument must be a positive number, but is -1
        {$log: [8, 2]} => 3.0
        {$log: [NumberDecimal('8'), 2]} => NumberDecimal('3')
        {$log: ['$n', 2]} => null
        {$log: ['$s', 2]} !! 28756 $log's argument must be numeric, not string
        {$log: [8, 'x']} !! 28757 $log's base must be numeric, not string
        {$log: [-8, 2]} !! 28758 $log's argument must be a positive number, but is -8
        {$log: [8, 1]} !! 28759 $log's base must be a positive number not equal to 1, but is 1
        {$sqrt: 16} => 4.0
        {$sqrt: NumberDecimal('2')} => NumberDecimal('1.414213562373095048801688724209698')
        {$sqrt: -1} !! 28714 $sqrt's argument must be greater than or equal to 0
        {$pow: [2, 10]} => 1024
        {$pow: [2, 31]} => NumberLong('2147483648')
        {$pow: [2, 63]} => 9223372036854775808.0
        {$pow: [-2, 63]} => NumberLong('-9223372036854775808')
        {$pow: [2, -1]} => 0.5
        {$pow: [2, 0.5]} => 1.4142135623730951
        {$pow: [NumberDecimal('1.1'), 2]} => NumberDecimal('1.21')
        {$pow: [0, 0]} => 1
        {$pow: ['$n', 2]} => null
        {$pow: [0, -1]} !! 28764 $pow cannot take a base of 0 and a negative exponent
        {$pow: ['$s', 1]} !! 28762 $pow's base must be numeric, not string
        {$pow: [1, '$s']} !! 28763 $pow's exponent must be numeric, not string
        """);
  }

  @Test
  void rounding() {
    ExpressionCases.check(
        DOCUMENT,
        """
        {$round: 2.5} => 2.0
        {$round: [2.345, 2]} => 2.35
        {$round: [1234, -2]} => 1200
        {$round: [NumberDecimal('2.345'), 2]} => NumberDecimal('2.34')
        {$round: ['$n', 2]} => null
        {$round: [1, '$none']} => null
        {$trunc: 2.9} => 2.0
        {$trunc: [-2.99, 1]} => -2.9
        {$trunc: [1299, -2]} => 1200
        {$trunc: '$s'} !! 51081 $trunc only supports numeric types, not string
        {$round: [1, 1.5]} !! 51082 precision argument to  $round must be a integral value
        {$round: [1, 101]} !! 51083 cannot apply $round with precision value 101 value must be in [-20, 100]
        """);
  }

  @Test
  void trigonometry() {
    ExpressionCases.check(
        DOCUMENT,
        """
        {$sin: 0} => 0.0
        {$cos: 0} => 1.0
        {$tan: 0} => 0.0
        {$sin: NumberDecimal('1')} => NumberDecimal('0.8414709848078965066525023216302990')
        {$cos: NumberDecimal('1')} => NumberDecimal('0.5403023058681397174009366074429766')
        {$tan: NumberDecimal('1')} => NumberDecimal('1.557407724654902230506974807458360')
        {$asin: NumberDecimal('0.5')} => NumberDecimal('0.5235987755982988730771072305465838')
        {$acos: NumberDecimal('0.5')} => NumberDecimal('1.047197551196597746154214461093168')
        {$atan: NumberDecimal('1')} => NumberDecimal('0.7853981633974483096156608458198757')
        {$sinh: NumberDecimal('1')} => NumberDecimal('1.175201193643801456882381850595601')
        {$cosh: NumberDecimal('1')} => NumberDecimal('1.543080634815243778477905620757062')
        {$tanh: NumberDecimal('1')} => NumberDecimal('0.7615941559557648881194582826047936')
        {$asinh: NumberDecimal('1')} => NumberDecimal('0.8813735870195430252326093249797923')
        {$acosh: NumberDecimal('2')} => NumberDecimal('1.316957896924816708625046347307968')
        {$atanh: NumberDecimal('0.5')} => NumberDecimal('0.5493061443340548456976226184612629')
        {$atan2: [1, 1]} => 0.7853981633974483
        {$atan2: [NumberDecimal('1'), -1]} => NumberDecimal('2.356194490192344928846982537459627')
        {$atan2: ['$n', 1]} => null
        {$acosh: 1} => 0.0
        {$degreesToRadians: 180} => 3.141592653589793
        {$radiansToDegrees: NumberDecimal('3.141592653589793238462643383279503')} => NumberDecimal('180')
        {$sin: '$none'} => null
        {$cosh: '$s'} !! 28765 $cosh only supports numeric types, not string
        {$atan2: ['x', 1]} !! 51044 $atan2 only supports numeric types, not string
        {$atan2: [1, 'x']} !! 51045 $atan2 only supports numeric types, not string
        {$acos: 2} !! 50989 cannot apply $acos to 2, value must be in [-1,1]
        {$acosh: 0.5} !! 50989 cannot apply $acosh to 0.5, value must be in [1,inf]
        {$sin: {$literal: {$numberDouble: 'Infinity'}}} !! 50989 cannot apply $sin to inf, value must be in (-inf,inf)
        """);
  }

  @Test
  void bits() {
    ExpressionCases.check(
        DOCUMENT,
        """
        {$bitAnd: [7, 3]} => 3
        {$bitAnd: []} => -1
        {$bitOr: [4, NumberLong(1)]} => NumberLong(5)
        {$bitXor: [7, 2, 1]} => 4
        {$bitNot: 0} => -1
        {$bitNot: '$l'} => NumberLong(-6)
        {$bitOr: ['$n', 1]} => null
        {$bitNot: '$none'} => null
        {$bitAnd: [1.5]} !! 14 $bitAnd only supports int and long operands.
        {$bitNot: 'x'} !! 28765 $bitNot only supports int and long, not: string.
        """);
  }

  @Test
  void accumulators() {
    ExpressionCases.check(
        DOCUMENT,
        """
        {$sum: '$a'} => 6
        {$sum: ['$a', 1]} => 1
        {$sum: ['$i', '$d', '$s']} => 9.5
        {$sum: '$m'} => 3.5
        {$sum: '$none'} => 0
        {$avg: '$a'} => 2.0
        {$avg: '$m'} => 1.75
        {$avg: [NumberDecimal('1'), 2]} => NumberDecimal('1.5')
        {$avg: '$s'} => null
        {$min: '$m'} => 1
        {$max: '$m'} => 'x'
        {$min: ['$i', '$d', '$none']} => 2.5
        {$max: '$none'} => null
        {$max: [['$a', 5]]} => [1, 2, 3]
        {$stdDevPop: '$a'} => 0.816496580927726
        {$stdDevSamp: '$a'} => 1.0
        {$stdDevPop: 5} => 0.0
        {$stdDevSamp: 5} => null
        {$stdDevPop: '$none'} => null
        {$median: {input: '$a', method: 'approximate'}} => 2.0
        {$median: {input: '$s', method: 'approximate'}} => null
        {$percentile: {input: '$a', p: [0, 0.5, 0.9], method: 'approximate'}} => [1.0, 2.0, 3.0]
        {$percentile: {input: '$none', p: [0.5], method: 'approximate'}} => [null]
        {$percentile: {input: 4, p: [0.5, 1], method: 'approximate'}} => [4.0, 4.0]
        {$median: 1} !! 7436201 specification must be an object; found $median: 1
        {$percentile: 1} !! 7436200 specification must be an object; found $percentile: 1
        {$percentile: {input: 1, p: ['$i'], method: 'approximate'}} !! 7750300 The $percentile 'p' field must be an array of constant values, but found value: [ "$i" ].
        {$percentile: {input: 1, p: [], method: 'approximate'}} !! 7750301 The $percentile 'p' field must be an array of numbers from [0.0, 1.0], but found: []
        {$percentile: {input: 1, p: ['x'], method: 'approximate'}} !! 7750302 The $percentile 'p' field must be an array of numbers from [0.0, 1.0], but found: "x"
        {$percentile: {input: 1, p: [2], method: 'approximate'}} !! 7750303 The $percentile 'p' field must be an array of numbers from [0.0, 1.0], but found: 2
        {$median: {input: 1, method: 'exact'}} !! 2 Currently only 'approximate' can be used as percentile 'method'.
        {$median: {method: 'approximate'}} !! 40414 BSON field '$median.input' is missing but a required field
        """);
  }
}
