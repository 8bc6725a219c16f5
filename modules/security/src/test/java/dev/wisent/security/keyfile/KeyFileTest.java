package dev.wisent.security.keyfile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeyFileTest {
  @TempDir private Path directory;

  private Path file(String text, String permissions) throws IOException {
    Path file = directory.resolve("key");
    Files.writeString(file, text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
    return file;
  }

  @Test
  void aKeyMayHaveSpacesAndLines() throws Exception {
    assertThat(KeyFile.read(file("abc DEF\n 123+/=\n\n", "r--------")))
        .containsExactly("abcDEF123+/=");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "- first1\n- second\n",
        "---\n# both\n- first1\n- second",
        "- 'first1'\n- \"second\"\n",
        "- fir\n  st1\n- second\r\n"
      })
  void aListHasSeveralKeys(String text) throws Exception {
    assertThat(KeyFile.read(file(text, "rw-------"))).containsExactly("first1", "second");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "short",
        "- abcdef\n- x",
        "abcdef!",
        "- aaaaaa\n- bbbbbb\n- cccccc",
        "aaaaaa\n- bbbbbb"
      })
  void otherTextsAreRefused(String text) throws Exception {
    Path file = file(text, "rw-------");
    assertThatThrownBy(() -> KeyFile.read(file)).hasMessageContaining("key");
  }

  @Test
  void longKeysAreRefused() throws Exception {
    assertThat(KeyFile.read(file("a".repeat(1024), "rw-------"))).hasSize(1);
    Path file = file("a".repeat(1025), "rw-------");
    assertThatThrownBy(() -> KeyFile.read(file))
        .hasMessageContaining("length 1025, must be between 6 and 1024 chars");
  }

  @ParameterizedTest
  @ValueSource(strings = {"rw-r-----", "rw----r--", "rw--w----", "rw-----w-"})
  void filesOfOthersAreRefused(String permissions) throws Exception {
    Path file = file("abcdefgh", permissions);
    assertThatThrownBy(() -> KeyFile.read(file))
        .hasMessage("permissions on " + file + " are too open");
  }

  @Test
  void aFileThatIsNotThereIsNamed() {
    Path file = directory.resolve("none");
    assertThatThrownBy(() -> KeyFile.read(file)).hasMessageContaining(file.toString());
  }
}
