package dev.wisent.bench.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ToolCostTest {
  @Test
  void toolsStandBesideThePlainStepBeforeThem() {
    String table =
        ToolCost.table(
            List.of(
                new ToolCost("plain scan", 2, 1, 1),
                new ToolCost("wisent dump", 3, 2, 1),
                new ToolCost("insertMany", 4, 1, 3),
                new ToolCost("wisent restore", 4, 2, 4)),
            1_000,
            2_000_000);
    assertThat(table.lines().map(line -> line.replaceAll(" +", " ")))
        .contains(
            "| plain scan | 2 | 500 | 1 | 1 | 1 | – | – |",
            "| wisent dump | 3 | 333 | 0.67 | 2 | 1 | 1.50× | 1.50× |",
            "| wisent restore | 4 | 250 | 0.50 | 2 | 4 | 1.00× | 1.50× |");
  }
}
