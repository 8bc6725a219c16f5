package dev.wisent.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.base.ScratchFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TemporaryFilesTest {
  @TempDir private Path root;

  private Path directory() {
    return root.resolve(TemporaryFiles.DIRECTORY);
  }

  private TemporaryFiles files() {
    return new TemporaryFiles(new DataDirectory(root));
  }

  @Test
  void whatIsWrittenCanBeRead() {
    TemporaryFiles scratch = files();
    try (ScratchFile file = scratch.create();
        ScratchFile other = scratch.create()) {
      file.append(new byte[] {0, 1, 2, 3, 0}, 1, 3);
      file.append(new byte[] {4, 5}, 0, 2);
      other.append(new byte[] {9}, 0, 1);
      assertThat(file.length()).isEqualTo(5);
      byte[] read = new byte[6];
      file.read(1, read, 2, 4);
      assertThat(read).containsExactly(0, 0, 2, 3, 4, 5);
    }
  }

  @Test
  void aFileThatEndsEarlyIsDamaged() throws IOException {
    try (ScratchFile file = files().create()) {
      file.append(new byte[3], 0, 3);
      assertThatThrownBy(() -> file.read(0, new byte[4], 0, 4))
          .isInstanceOf(StorageException.class)
          .hasMessageContaining("ends too early");
    }
  }

  @Test
  void nothingStaysBehind() {
    TemporaryFiles scratch = files();
    ScratchFile file = scratch.create();
    file.append(new byte[100], 0, 100);
    file.close();
    file.close();
    assertThat(directory()).isEmptyDirectory();
  }

  @Test
  void leftoversOfACrashGoAtTheStart() throws IOException {
    Files.createDirectory(directory());
    Files.writeString(directory().resolve("scratch-1"), "left");
    try (StorageEngine engine = StorageEngine.open(StorageOptions.defaults(root))) {
      assertThat(directory()).isEmptyDirectory();
      engine.temporaryFiles().create().close();
    }
  }
}
