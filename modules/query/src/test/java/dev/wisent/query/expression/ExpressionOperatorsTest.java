package dev.wisent.query.expression;

import dev.wisent.query.cases.OperatorCases;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.TestFactory;

class ExpressionOperatorsTest {
  @TestFactory
  Stream<DynamicNode> cases() {
    return OperatorCases.of(
        "expression",
        ExpressionTable.rows().stream().map(ExpressionRow::name).toList(),
        ExpressionCases::check);
  }
}
