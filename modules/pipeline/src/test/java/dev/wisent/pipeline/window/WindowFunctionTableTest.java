package dev.wisent.pipeline.window;

import dev.wisent.query.cases.OperatorCases;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.TestFactory;

class WindowFunctionTableTest {
  @TestFactory
  Stream<DynamicNode> cases() {
    return OperatorCases.of(
        "window",
        WindowFunctionTable.ROWS.stream().map(WindowFunctionRow::name).toList(),
        WindowFixture::check);
  }
}
