package dev.wisent.query.expression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.context.QueryContext;
import org.junit.jupiter.api.Test;

class ExpressionParserTest {
  @Test
  void pathsConstantsArraysAndObjects() {
    ExpressionCases.check(
        "{a: 1, b: {c: 2, d: {e: 3}}, s: [{x: 1}, {y: 2}, 5, {x: [7]}, [{x: 9}]], n: null}",
        """
        1 => 1
        'x' => 'x'
        '$a' => 1
        '$b.c' => 2
        '$b.d.e' => 3
        '$n' => null
        '$none' => missing
        '$a.b' => missing
        '$b.none.e' => missing
        '$s.x' => [1, [7]]
        '$s.0' => []
        '$s.x.z' => [[]]
        ['$a', '$none', '$b.c'] => [1, null, 2]
        {p: '$a', q: '$none', r: {t: '$b.c'}} => {p: 1, r: {t: 2}}
        {} => {}
        {$literal: '$a'} => '$a'
        {$literal: {$add: [1]}} => {$add: [1]}
        {$const: [1, '$a']} => [1, '$a']
        '$$ROOT.a' => 1
        '$$CURRENT.b.c' => 2
        '$$REMOVE' => missing
        '$$NOW' => {$date: {$numberLong: '1700000000000'}}
        '$$CLUSTER_TIME' => Timestamp(7, 1)
        '$$USER_ROLES' => []
        {$expr: '$a'} => 1
        """);
  }

  @Test
  void mistakes() {
    ExpressionCases.check(
        "{a: 1}",
        """
        {$noSuch: 1} !! 168 Unrecognized expression '$noSuch'
        {$add: [1], $size: 1} !! 15983 An object representing an expression must have exactly one field: { $add: [ 1 ], $size: 1 }
        {a: 1, $add: [1]} !! 16410 FieldPath field names may not start with '$'. Consider using $getField or $setField.
        {'a.b': 1} !! 16412 FieldPath field names may not contain '.'. Consider using $getField or $setField.
        {'': 1} !! 15998 FieldPath field names may not be empty strings.
        '$' !! 16872 '$' by itself is not a valid FieldPath
        '$$' !! 9 empty variable names are not allowed
        '$a.' !! 40353 FieldPath must not end with a '.'.
        '$a..b' !! 15998 FieldPath field names may not be empty strings.
        '$.a' !! 15998 FieldPath field names may not be empty strings.
        '$a.$b' !! 16410 FieldPath field names may not start with '$'. Consider using $getField or $setField.
        '$$none' !! 17276 Use of undefined variable: none
        '$$1x' !! 9 '1x' starts with an invalid character for a variable name
        '$$a-b' !! 9 'a-b' contains an invalid character for a variable name: '-'
        {$cmp: [1]} !! 16020 Expression $cmp takes exactly 2 arguments. 1 were passed in.
        {$slice: [1]} !! 28667 Expression $slice takes at least 2 arguments, and at most 3, but 1 were passed in.
        """);
  }

  @Test
  void constantsAreFolded() {
    Expression folded =
        ExpressionParser.parse(
            ExpressionCases.value("{$cond: [{$gt: [2, 1]}, {x: {$size: [[1, 2]]}}, '$a']}"),
            ExpressionCases.CONTEXT);
    assertThat(folded).isInstanceOf(ConstantExpression.class);
    assertThat(folded.serialize()).isEqualTo(ExpressionCases.value("{$const: {x: 2}}"));
  }

  @Test
  void dependenciesAreTheFieldsThatAreRead() {
    Expression expression =
        ExpressionParser.parse(
            ExpressionCases.value(
                "{$let: {vars: {v: '$a.b'}, in: {$map: {input: '$c', in: {$eq: ['$$this.x',"
                    + " '$$v']}}}}}"),
            ExpressionCases.CONTEXT);
    Dependencies dependencies = Dependencies.of(expression);
    assertThat(dependencies.paths()).containsExactly("a.b", "c");
    assertThat(dependencies.needsWholeDocument()).isFalse();
    assertThat(
            Dependencies.of(
                    ExpressionParser.parse(
                        ExpressionCases.value("'$$ROOT'"), ExpressionCases.CONTEXT))
                .needsWholeDocument())
        .isTrue();
  }

  @Test
  void variablesOfTheCommand() {
    var context =
        ExpressionCases.CONTEXT.withLet(
            RawDocument.parse("{x: 3, y: {$literal: '$a'}, z: {$eq: ['$$x', 3]}, d: {e: 5}}"));
    assertThat(evaluate("['$$x', '$$y', '$$z', '$$d.e']", context))
        .isEqualTo(ExpressionCases.value("[3, '$a', true, 5]"));
    assertThatThrownBy(
            () ->
                evaluate("'$$x'", ExpressionCases.CONTEXT.withLet(RawDocument.parse("{x: '$a'}"))))
        .hasMessageStartingWith("Command let Expression tried to access a field");
    assertThatThrownBy(
            () -> evaluate("'$$X'", ExpressionCases.CONTEXT.withLet(RawDocument.parse("{X: 1}"))))
        .hasMessage("'X' starts with an invalid character for a user variable name");
  }

  @Test
  void variablesAreComputedOnce() {
    var context =
        ExpressionCases.CONTEXT.withLet(
            RawDocument.parse("{r: {$rand: {}}, x: {$add: [1, 2]}, n: '$$REMOVE', y: '$$x'}"));
    RawDocument computed = CommandVariables.computed(context);
    assertThat(computed)
        .isEqualTo(
            RawDocument.parse(
                "{r: {$literal: 0.25}, x: {$literal: 3}, n: '$$REMOVE', y: {$literal: 3}}"));
    assertThat(evaluate("['$$r', '$$x', '$$n', '$$y']", context.withLet(computed)))
        .isEqualTo(ExpressionCases.value("[0.25, 3, null, 3]"));
  }

  private static RawValue evaluate(String expression, QueryContext context) {
    return ExpressionParser.parse(ExpressionCases.value(expression), context)
        .evaluate(Frame.ofConstants());
  }
}
