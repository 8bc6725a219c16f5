package dev.wisent.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodePackagesTest {

  @ParameterizedTest
  @CsvSource({"v20.11.1,20", "v8.0.0,8", "22,22", "nonsense,0", "'',0", "v99999999999,0"})
  void readsTheMajorVersion(String text, int major) {
    assertThat(NodePackages.majorOf(text)).isEqualTo(major);
  }

  @Test
  void anInstallationThatSomebodyElseFinishedFirstIsKept(@TempDir Path directory)
      throws IOException {
    Path mine = Files.createDirectories(directory.resolve("mine/node_modules"));
    Path theirs = Files.createDirectories(directory.resolve("theirs/node_modules"));

    DirectoryTree.moveUnlessPresent(mine.getParent(), theirs.getParent());

    assertThat(theirs).isDirectory();
    assertThat(mine.getParent()).doesNotExist();
  }
}
