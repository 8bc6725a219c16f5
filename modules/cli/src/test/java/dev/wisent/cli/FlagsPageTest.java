package dev.wisent.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.cli.manual.FlagsPage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The page of flags is what the commands say. */
class FlagsPageTest {
  private static final String HEAD =
      """
      # Commands and flags

      What `wisent` can be told, by command, as `wisent COMMAND --help` says it. This page is generated: a test compares it with the
      commands. To write it anew: `mvn -pl modules/cli -am test -Dtest=FlagsPageTest -Dsurefire.failIfNoSpecifiedTests=false
      -Dwisent.flags.write=true`.
      """;

  @Test
  void thePageIsWhatTheCommandsSay() throws IOException {
    Path page = Path.of("").toAbsolutePath().resolve("../../docs/flags.md").normalize();
    String text = FlagsPage.of(HEAD, WisentMain.commands());
    if (Boolean.getBoolean("wisent.flags.write")) {
      Files.writeString(page, text);
    }
    assertThat(Files.readString(page))
        .as("docs/flags.md is out of date; it says itself how to write it anew")
        .isEqualTo(text);
  }
}
