package dev.wisent.bench.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(180)
class ChildProcessTest {
  @TempDir Path directory;

  @Test
  void stopsTheServerBehindALauncherThatDoesNotPassSignalsOn() throws IOException {
    ChildProcess launcher =
        ChildProcess.start(
            List.of("sh", "-c", "sleep 1000; true"), directory, ChildProcess.StopSignal.TERM);
    ProcessHandle server = awaitChildOf(launcher.pid());
    launcher.close();
    assertThat(launcher.alive()).isFalse();
    assertThat(server.onExit()).succeedsWithin(50, TimeUnit.SECONDS);
  }

  @Test
  void stopsWithInterrupt() throws IOException {
    ChildProcess child =
        ChildProcess.start(List.of("sleep", "1000"), directory, ChildProcess.StopSignal.INT);
    child.close();
    assertThat(child.alive()).isFalse();
  }

  @Test
  void tellsHowTheServerEnded() throws Exception {
    ChildProcess child =
        ChildProcess.start(
            List.of("sh", "-c", "echo the disk is full; exit 3"),
            directory,
            ChildProcess.StopSignal.TERM);
    ProcessHandle.of(child.pid()).ifPresent(handle -> handle.onExit().join());
    child.close();
    assertThat(child.obituary()).contains("code 3").contains("the disk is full");
    assertThat(Files.readString(directory.resolve("server.log"))).contains("the disk is full");
  }

  private static ProcessHandle awaitChildOf(long pid) {
    ProcessHandle parent = ProcessHandle.of(pid).orElseThrow();
    while (true) {
      var child = parent.children().findFirst();
      if (child.isPresent()) {
        return child.get();
      }
      Thread.onSpinWait();
    }
  }
}
