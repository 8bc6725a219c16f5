package dev.wisent.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerProcessTest {

  @Test
  void aServerThatCannotStartFailsAtOnceWithItsLog(@TempDir Path directory) {
    // A JVM flag that no JVM knows: the process ends before it reads any class.
    ProcessOptions options = ProcessOptions.in(directory).withJvmFlags("-XX:+NoSuchFlag");

    assertThatThrownBy(() -> ServerProcess.start(options))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("server exited with 1")
        .hasMessageContaining("NoSuchFlag");
  }

  @Test
  void killEndsTheProcess(@TempDir Path directory) {
    ServerProcess server = ServerProcess.launch(ProcessOptions.in(directory));

    server.kill();

    assertThat(server.alive()).isFalse();
    assertThat(ProcessHandle.of(server.pid()).filter(ProcessHandle::isAlive)).isEmpty();
    server.close();
  }

  @Test
  void optionsKeepWhatTheyWereGiven(@TempDir Path directory) {
    ProcessOptions options = ProcessOptions.in(directory);

    ProcessOptions more = options.withArguments("--a", "b").withArguments("--c");

    assertThat(more.arguments()).containsExactly("--a", "b", "--c");
    assertThat(more.port()).isEqualTo(options.port());
    assertThat(more.dbpath()).isEqualTo(directory.resolve("data"));
    assertThat(options.arguments()).isEmpty();
  }
}
