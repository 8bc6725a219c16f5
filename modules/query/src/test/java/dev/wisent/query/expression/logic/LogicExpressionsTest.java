package dev.wisent.query.expression.logic;

import dev.wisent.query.expression.ExpressionCases;
import org.junit.jupiter.api.Test;

class LogicExpressionsTest {
  private static final String DOCUMENT =
      "{one: 1, zero: 0, text: 'x', no: null, list: [1, 2], yes: true, date: {$date: 5}}";

  @Test
  void comparisons() {
    ExpressionCases.check(
        DOCUMENT,
        """
        {$eq: ['$one', 1.0]} => true
        {$eq: ['$one', NumberDecimal('1.00')]} => true
        {$eq: ['$none', null]} => false
        {$eq: ['$none', '$alsoNone']} => true
        {$eq: ['$list', [1, 2]]} => true
        {$eq: ['$list', 1]} => false
        {$ne: ['$one', 2]} => true
        {$gt: ['$text', '$one']} => true
        {$gt: ['$no', '$none']} => true
        {$gte: ['$one', NumberLong(1)]} => true
        {$lt: ['$no', '$zero']} => true
        {$lt: ['$none', MinKey]} => false
        {$lte: ['$one', '$one']} => true
        {$cmp: [1, 2]} => -1
        {$cmp: ['$none', null]} => -1
        {$cmp: [[2], [1, 5]]} => 1
        {$eq: 1} !! 16020 Expression $eq takes exactly 2 arguments. 1 were passed in.
        {$lt: [1, 2, 3]} !! 16020 Expression $lt takes exactly 2 arguments. 3 were passed in.
        """);
  }

  @Test
  void booleans() {
    ExpressionCases.check(
        DOCUMENT,
        """
        {$and: []} => true
        {$or: []} => false
        {$and: ['$one', '$text', '$list', '$date']} => true
        {$and: ['$one', '$zero']} => false
        {$and: ['$one', '$none']} => false
        {$or: ['$zero', '$no', '$none']} => false
        {$or: ['$zero', {$and: ['$one', {$or: ['$no', '$yes']}]}]} => true
        {$and: ['$zero', {$size: '$one'}]} => false
        {$and: '$one'} => true
        {$not: ['$one']} => false
        {$not: '$none'} => true
        {$not: [[false]]} => false
        {$and: [1, '$one', true]} => true
        {$or: [0, '$zero', true]} => true
        {$not: [1, 2]} !! 16020 Expression $not takes exactly 1 arguments. 2 were passed in.
        """);
  }

  @Test
  void conditions() {
    ExpressionCases.check(
        DOCUMENT,
        """
        {$cond: ['$one', 'yes', 'no']} => 'yes'
        {$cond: {if: '$none', then: 'yes', else: '$text'}} => 'x'
        {$cond: ['$zero', 1, '$none']} => missing
        {$cond: [1, '$text', {$size: '$one'}]} => 'x'
        {$cond: [1, 2]} !! 16020 Expression $cond takes exactly 3 arguments. 2 were passed in.
        {$cond: {if: 1, then: 2}} !! 17082 Missing 'else' parameter to $cond
        {$cond: {then: 1, else: 2}} !! 17080 Missing 'if' parameter to $cond
        {$cond: {if: 1, else: 2}} !! 17081 Missing 'then' parameter to $cond
        {$cond: {if: 1, then: 2, otherwise: 3}} !! 17083 Unrecognized parameter to $cond: otherwise
        {$ifNull: ['$none', '$no', '$one', '$text']} => 1
        {$ifNull: ['$none', '$no']} => null
        {$ifNull: ['$no', '$none']} => missing
        {$ifNull: ['$zero', 1]} => 0
        {$ifNull: ['$a']} !! 1257300 $ifNull needs at least two arguments, had: 1
        {$switch: {branches: [{case: '$zero', then: 1}, {case: '$one', then: 2}], default: 3}} => 2
        {$switch: {branches: [{case: '$zero', then: 1}], default: '$text'}} => 'x'
        {$switch: {branches: [{case: false, then: 1}, {case: true, then: '$one'}]}} => 1
        {$switch: {branches: [{case: '$zero', then: 1}]}} !! 40066 $switch could not find a matching branch for an input, and no default was specified.
        {$switch: 1} !! 40060 $switch requires an object as an argument, found: int
        {$switch: {branches: 1}} !! 40061 $switch expected an array for 'branches', found: int
        {$switch: {branches: [1]}} !! 40062 $switch expected each branch to be an object, found: int
        {$switch: {branches: [{x: 1}]}} !! 40063 $switch found an unknown argument to a branch: x
        {$switch: {branches: [{then: 1}]}} !! 40064 $switch requires each branch have a 'case' expression
        {$switch: {branches: [{case: 1}]}} !! 40065 $switch requires each branch have a 'then' expression.
        {$switch: {x: 1}} !! 40067 $switch found an unknown argument: x
        {$switch: {default: 1}} !! 40068 $switch requires at least one branch.
        """);
  }

  @Test
  void let() {
    ExpressionCases.check(
        DOCUMENT,
        """
        {$let: {vars: {a: '$one', b: '$text'}, in: ['$$a', '$$b', '$$none_']}} !! 17276 Use of undefined variable: none_
        {$let: {vars: {a: '$one', b: '$text'}, in: ['$$a', '$$b', '$list']}} => [1, 'x', [1, 2]]
        {$let: {vars: {a: 1}, in: {$let: {vars: {a: 2, b: '$$a'}, in: ['$$a', '$$b']}}}} => [2, 1]
        {$let: {vars: {a: {$let: {vars: {x: 1}, in: '$$x'}}, b: {$let: {vars: {y: 2, z: 3}, in: '$$z'}}}, in: ['$$a', '$$b']}} => [1, 3]
        {$let: {vars: {CURRENT: {one: 7}}, in: ['$one', '$$ROOT.one', '$$CURRENT']}} => [7, 1, {one: 7}]
        {$let: {vars: {a: '$none'}, in: '$$a'}} => missing
        {$let: {vars: {}, in: '$one'}} => 1
        {$let: {vars: {ROOT: 1}, in: 1}} !! 9 'ROOT' starts with an invalid character for a user variable name
        {$let: 1} !! 16874 $let only supports an object as its argument
        {$let: {in: 1}} !! 16876 Missing 'vars' parameter to $let
        {$let: {vars: {}}} !! 16877 Missing 'in' parameter to $let
        {$let: {vars: {}, in: 1, x: 1}} !! 16875 Unrecognized parameter to $let: x
        {$let: {vars: 1, in: 1}} !! 10065 invalid parameter: expected an object (vars)
        """);
  }
}
