package dev.wisent.pipeline.accumulator;

import dev.wisent.query.cases.OperatorCases;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.TestFactory;

class AccumulatorTableTest {
  @TestFactory
  Stream<DynamicNode> cases() {
    return OperatorCases.of(
        "accumulator",
        AccumulatorTable.ROWS.stream().map(AccumulatorRow::name).toList(),
        AccumulatorCases::check);
  }
}
