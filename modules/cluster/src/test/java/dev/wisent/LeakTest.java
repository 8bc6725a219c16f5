package dev.wisent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Servers that were started and closed leave no thread, no open file, no socket, no temporary file
 * and no memory outside of the heap.
 */
class LeakTest {
  @TempDir private Path directory;

  @ParameterizedTest
  @CsvSource({"node, 50", "set, 2"})
  void nothingIsLeft(String kind, int times) throws Exception {
    probe(kind, times);
  }

  @ParameterizedTest
  @ValueSource(strings = {"set", "cluster"})
  @Tag("faults")
  void nothingIsLeftAfterFiftyTimes(String kind) throws Exception {
    probe(kind, 50);
  }

  private void probe(String kind, int times) throws IOException, InterruptedException {
    assumeTrue(Files.isDirectory(Path.of("/proc/self/fd")), "needs /proc/self/fd");
    Path temporary = Files.createDirectory(directory.resolve("tmp"));
    Path output = directory.resolve("output");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of("--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow"));
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-Xmx512m"));
    command.add("-Djava.io.tmpdir=" + temporary);
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(LeakProbe.class.getName(), kind, String.valueOf(times)));
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertThat(process.waitFor(times < 50 ? 4 : 20, TimeUnit.MINUTES)).as("it ends").isTrue();
    } finally {
      process.destroyForcibly();
    }
    assertThat(Files.readString(output)).endsWith(LeakProbe.NOTHING + System.lineSeparator());
    // Nor after the end of the process.
    assertThat(temporary).isEmptyDirectory();
  }
}
