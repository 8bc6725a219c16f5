package dev.wisent.conformance.pages;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ShownOutputTest {
  @Test
  void isWhatWasPrinted() {
    assertThat(ShownOutput.matches("a\nb\n", "a \nb")).isTrue();
    assertThat(ShownOutput.matches("a", "a\nb")).isFalse();
    assertThat(ShownOutput.matches("a.c", "abc")).isFalse();
  }

  @Test
  void threePointsStandForAnyText() {
    assertThat(
            ShownOutput.matches("{ _id: ObjectId('...'), a: 1 }", "{ _id: ObjectId('6f'), a: 1 }"))
        .isTrue();
    assertThat(ShownOutput.matches("a\n...\nd\n", "a\nb\nc\nd\n")).isTrue();
    assertThat(ShownOutput.matches("a\n...\nd\n", "a\nb\nc\n")).isFalse();
  }

  @Test
  void theLastStatementIsShown() {
    assertThat(ShellStatements.showingTheLast("a()\nb([\n  1,\n])\n  .c() // d\n"))
        .isEqualTo("a()\nwisentShow(\nb([\n  1,\n])\n  .c() // d\n)\n");
    assertThat(ShellStatements.showingTheLast("const a = 1\n")).isEqualTo("const a = 1\n");
    assertThat(ShellStatements.showingTheLast("a();\n")).isEqualTo("\nwisentShow(\na()\n)\n");
  }
}
