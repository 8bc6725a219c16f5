package dev.wisent.query.match;

import dev.wisent.query.cases.OperatorCases;
import dev.wisent.query.match.MatchOperator.Family;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.TestFactory;

class MatchOperatorsTest {
  @TestFactory
  Stream<DynamicNode> cases() {
    return OperatorCases.of(
        "match",
        MatchOperators.rows().stream()
            .filter(row -> row.family() != Family.ARGUMENT)
            .map(MatchOperator::name)
            .toList(),
        MatchCases::check);
  }
}
