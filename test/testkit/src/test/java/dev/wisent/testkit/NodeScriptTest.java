package dev.wisent.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Uses the running JDK as the program, so that it needs no Node.js. */
class NodeScriptTest {

  private static final String JAVA =
      Path.of(System.getProperty("java.home"), "bin", "java").toString();
  private static final Duration PATIENCE = Duration.ofSeconds(120);

  @Test
  void returnsOutputAndExitCode() {
    ScriptResult result = NodeScript.of(List.of(JAVA, "--version")).run(PATIENCE);

    assertThat(result.exitCode()).isZero();
    assertThat(result.stdout()).contains("Runtime");
  }

  @Test
  void returnsErrorsAndAFailingExitCode() {
    ScriptResult result = NodeScript.of(List.of(JAVA, "--no-such-option")).run(PATIENCE);

    assertThat(result.exitCode()).isEqualTo(1);
    assertThat(result.stderr()).contains("no-such-option");
    assertThat(result.text()).contains("exit code 1").contains("no-such-option");
  }

  @Test
  void passesTheEnvironment() {
    // The JVM reads this variable and says so.
    ScriptResult result =
        NodeScript.of(List.of(JAVA, "--version"))
            .withEnvironment(Map.of("JAVA_TOOL_OPTIONS", "-Dfrom.test=true"))
            .run(PATIENCE);

    assertThat(result.text()).contains("-Dfrom.test=true");
  }

  @Test
  void failsAtTheTimeOut(@TempDir Path directory) throws IOException {
    Path endless =
        Files.writeString(
            directory.resolve("Endless.java"),
            "void main() throws Exception { Thread.currentThread().join(); }");

    assertThatThrownBy(() -> NodeScript.of(List.of(JAVA, endless.toString())).run(Duration.ZERO))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("not finished");
  }
}
