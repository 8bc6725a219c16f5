package dev.wisent.tools.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.Wisent;
import dev.wisent.server.ServerOptions;
import dev.wisent.testkit.Eventually;
import dev.wisent.tools.ToolHarness;
import dev.wisent.tools.backup.StateOpening.Opening;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The wait for states ends at the user's wish, and no state stays open. */
class StateOpeningTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir Path directory;

  @Test
  void theUserEndsTheWait() throws Exception {
    var harness = new ToolHarness();
    var opened = new CountDownLatch(1);
    var goOn = new CountDownLatch(1);
    var closed = new CountDownLatch(1);
    try (Wisent server =
        Wisent.start(ServerOptions.builder(directory.resolve("data")).port(0).build())) {
      Opening first =
          () -> {
            OpenState state = Backups.state(server.uri());
            opened.countDown();
            return state;
          };
      Opening slow =
          () -> {
            Backups.await(opened);
            harness.interruption().request();
            Backups.await(goOn);
            OpenState state = Backups.state(server.uri());
            closed.countDown();
            return state;
          };
      assertThatThrownBy(() -> StateOpening.run(harness.surroundings(), List.of(first, slow)))
          .hasMessage("interrupted");
      goOn.countDown();
      Backups.await(closed);
      Eventually.holds(
          "no state is open",
          PATIENCE,
          () -> Backups.names(directory.resolve("data/_backup")).isEmpty());
    }
  }

  @Test
  void oneWithoutAStateEndsTheOthers() throws Exception {
    var harness = new ToolHarness();
    try (Wisent server =
        Wisent.start(ServerOptions.builder(directory.resolve("data")).port(0).build())) {
      List<Opening> openings = List.of(() -> Backups.state(server.uri()), () -> null);
      assertThat(StateOpening.run(harness.surroundings(), openings)).isNull();
      assertThat(Backups.names(directory.resolve("data/_backup"))).isEmpty();
    }
  }
}
