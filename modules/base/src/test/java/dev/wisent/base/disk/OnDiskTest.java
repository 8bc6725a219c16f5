package dev.wisent.base.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class OnDiskTest {
  @TempDir private Path directory;
  private Path file;

  @BeforeEach
  void name() {
    file = directory.resolve("state");
  }

  @Test
  void replacesAFile() throws IOException {
    OnDisk.replace(file, List.of("a longer line", "another"));
    OnDisk.replace(file, List.of("short"));
    assertThat(file).hasContent("short\n");
    assertThat(OnDisk.incomplete(file)).doesNotExist();
  }

  @Test
  void keepsTheOldFileWhereTheNewOneCannotBeWritten() throws IOException {
    OnDisk.replace(file, List.of("old"));
    Files.createDirectory(OnDisk.incomplete(file));
    assertThatIOException().isThrownBy(() -> OnDisk.replace(file, List.of("new")));
    assertThat(file).hasContent("old\n");
  }

  @Test
  void goesOnAfterACrash() throws IOException {
    Files.writeString(OnDisk.incomplete(file), "the first half of a much longer file");
    OnDisk.replace(file, new byte[] {1, 2});
    assertThat(file).hasBinaryContent(new byte[] {1, 2});
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void givesTheAttributesToANewFile() throws IOException {
    var ownerOnly = PosixFilePermissions.fromString("rw-------");
    OnDisk.replace(file, List.of("a"), PosixFilePermissions.asFileAttribute(ownerOnly));
    assertThat(Files.getPosixFilePermissions(file)).isEqualTo(ownerOnly);
  }

  @Test
  void saysWhetherADeletedFileWasThere() throws IOException {
    OnDisk.write(file, new byte[0]);
    assertThat(OnDisk.delete(file)).isTrue();
    assertThat(OnDisk.delete(file)).isFalse();
    assertThat(file).doesNotExist();
  }
}
