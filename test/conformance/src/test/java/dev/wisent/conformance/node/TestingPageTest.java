package dev.wisent.conformance.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.testkit.page.Checkout;
import dev.wisent.testkit.page.CodeBlock;
import dev.wisent.testkit.page.MarkdownPage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The code in {@code docs/testing.md} is that of tests that the build runs. */
class TestingPageTest {
  private static final List<String> SOURCES =
      List.of(
          "examples/src/test/java",
          "modules/springboot/src/test/java",
          "modules/cluster/src/test/java/dev/wisent/EmbeddedWisentTest.java",
          "packaging/node");

  @Test
  void everySnippetIsPartOfATest() throws IOException {
    List<String> tests = new ArrayList<>();
    for (String source : SOURCES) {
      try (Stream<Path> files = Files.walk(Checkout.file(source))) {
        for (Path file : files.filter(Files::isRegularFile).toList()) {
          tests.add(Files.readString(file));
        }
      }
    }
    List<String> snippets =
        MarkdownPage.read("docs/testing.md").in("java", "js").stream()
            .map(CodeBlock::text)
            .toList();
    assertThat(snippets)
        .hasSize(6)
        .allSatisfy(snippet -> assertThat(tests).anyMatch(isIn(snippet)));
  }

  private static Predicate<String> isIn(String snippet) {
    return test -> test.contains(snippet);
  }
}
