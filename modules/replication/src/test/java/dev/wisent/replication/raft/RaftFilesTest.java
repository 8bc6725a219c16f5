package dev.wisent.replication.raft;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.base.RandomSource;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RaftFilesTest {
  @TempDir Path directory;

  @Test
  void thePortIsKept() throws IOException {
    int port = new RaftFiles(directory).port(RandomSource.system());
    assertThat(new RaftFiles(directory).port(RandomSource.system())).isEqualTo(port);
    try (var socket = new ServerSocket(port)) {
      assertThat(new RaftFiles(directory).port(RandomSource.system()))
          .as("also while taken")
          .isEqualTo(port);
      assertThat(socket.isBound()).isTrue();
    }
  }

  @Test
  void noOutgoingConnectionGetsThePort() {
    Set<Integer> ports = new HashSet<>();
    for (int i = 0; i < 50; i++) {
      ports.add(new RaftFiles(directory.resolve("node" + i)).port(RandomSource.system()));
    }
    assertThat(ports).hasSizeGreaterThan(25).allSatisfy(p -> assertThat(p).isBetween(1024, 32_767));
  }
}
