package dev.wisent.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.conformance.ExpectedFailures.Entry;
import dev.wisent.testkit.Topology;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The lists name tests that there are; those of specification cases look for themselves. */
class DifferencesTest {

  @Test
  void everyLineNamesATest() {
    List<Entry> lines =
        ExpectedFailures.parse(ExpectedFailures.differences(Topology.SHARDED)).entries().stream()
            .filter(entry -> !entry.fileGlob().endsWith(".json"))
            .toList();
    assertThat(lines).isNotEmpty().doesNotHaveDuplicates().allMatch(DifferencesTest::namesATest);
  }

  private static boolean namesATest(Entry entry) {
    String method = entry.description().replaceFirst(" \\[(\\d+|\\*)]$", "");
    return source(entry.fileGlob()).contains("void " + method + "(");
  }

  private static String source(String className) {
    Path sources = Path.of(System.getProperty("basedir", "."), "src/test/java");
    try (Stream<Path> files = Files.walk(sources)) {
      Path source =
          files.filter(file -> file.endsWith(className + ".java")).findFirst().orElseThrow();
      return Files.readString(source);
    } catch (IOException e) {
      throw new UncheckedIOException("no source of " + className, e);
    }
  }
}
