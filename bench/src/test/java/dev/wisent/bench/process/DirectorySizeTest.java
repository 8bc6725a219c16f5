package dev.wisent.bench.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DirectorySizeTest {
  @TempDir Path directory;

  @Test
  void addsUpFilesInAllLevels() throws IOException {
    Path nested = Files.createDirectories(directory.resolve("a/b"));
    Files.write(directory.resolve("x"), new byte[10]);
    Files.write(nested.resolve("y"), new byte[7]);
    assertThat(DirectorySize.bytes(directory)).isEqualTo(17);
  }

  @Test
  void deletesEverything() throws IOException {
    Path nested = Files.createDirectories(directory.resolve("a/b"));
    Files.write(nested.resolve("y"), new byte[7]);
    DirectorySize.delete(directory.resolve("a"));
    assertThat(directory).isEmptyDirectory();
    DirectorySize.delete(directory.resolve("never there"));
  }
}
