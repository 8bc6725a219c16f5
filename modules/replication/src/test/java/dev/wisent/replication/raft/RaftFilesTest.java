package dev.wisent.replication.raft;

import static org.assertj.core.api.Assertions.assertThat;

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
    int port = new RaftFiles(directory).port();
    assertThat(new RaftFiles(directory).port()).isEqualTo(port);
    try (var socket = new ServerSocket(port)) {
      assertThat(new RaftFiles(directory).port()).as("also while taken").isEqualTo(port);
      assertThat(socket.isBound()).isTrue();
    }
  }

  @Test
  void noOutgoingConnectionGetsThePort() {
    Set<Integer> ports = new HashSet<>();
    for (int i = 0; i < 50; i++) {
      ports.add(new RaftFiles(directory.resolve("node" + i)).port());
    }
    assertThat(ports).hasSizeGreaterThan(25).allSatisfy(p -> assertThat(p).isBetween(1024, 32_767));
  }
}
