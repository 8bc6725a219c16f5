package dev.wisent.replication.raft;

import static dev.wisent.replication.raft.TestCluster.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.base.RandomSource;
import dev.wisent.base.log.Log;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogPortTest {
  @TempDir Path directory;

  private LogPort port(String node) {
    return LogPort.chosen(directory.resolve(node), RandomSource.system(), Log.silent());
  }

  @Test
  void thePortIsKept() {
    int first;
    try (LogPort port = port("node")) {
      first = port.number();
    }
    try (LogPort again = port("node")) {
      assertThat(again.number()).isEqualTo(first);
    }
  }

  @Test
  void aNodeWhosePortIsTakenMoves() throws IOException {
    int first;
    try (LogPort port = port("node")) {
      first = port.number();
    }
    int second;
    try (var taken = new ServerSocket(first);
        LogPort moved = port("node")) {
      assertThat(taken.isBound()).isTrue();
      second = moved.number();
      assertThat(second).isNotEqualTo(first);
    }
    try (LogPort again = port("node")) {
      assertThat(again.number()).isEqualTo(second);
    }
  }

  @Test
  void noOutgoingConnectionGetsThePort() {
    Set<Integer> ports = new HashSet<>();
    for (int i = 0; i < 50; i++) {
      try (LogPort port = port("node" + i)) {
        ports.add(port.number());
      }
    }
    assertThat(ports).hasSizeGreaterThan(25).allSatisfy(p -> assertThat(p).isBetween(1024, 32_767));
  }

  /** The values that the first node had: it would choose the same port. */
  @Test
  void noOtherNodeChoosesAPortThatIsReserved() {
    Path other = directory.resolve("other");
    try (LogPort first =
            LogPort.chosen(directory.resolve("node"), RandomSource.seeded(1), Log.silent());
        LogPort second = LogPort.chosen(other, RandomSource.seeded(1), Log.silent())) {
      assertThat(second.number()).isNotEqualTo(first.number());
    }
  }

  /** Ratis itself would end the process. */
  @Test
  void aLogWhosePortIsTakenBeginsWhenItIsFree() throws IOException {
    var handler = Thread.getDefaultUncaughtExceptionHandler();
    var taken = new ServerSocket(0);
    int port = taken.getLocalPort();
    try (taken;
        var node =
            new TestNode(
                "n1",
                directory,
                options -> RaftOptions.defaults(options.directory(), options.host(), port))) {
      assertThatThrownBy(() -> node.raft.begin(UUID.randomUUID(), node.peer()))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("Cannot start the replicated log")
          .hasMessageContaining(Integer.toString(port));
      assertThat(Thread.getDefaultUncaughtExceptionHandler()).isSameAs(handler);
      taken.close();
      await("it leads", node::isReady);
      node.put("a", "1").awaitApplied();
    }
  }
}
