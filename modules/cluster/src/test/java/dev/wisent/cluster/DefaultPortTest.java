package dev.wisent.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.base.CommandException;
import dev.wisent.cluster.embedded.EmbeddedNode;
import dev.wisent.cluster.embedded.EmbeddedSet;
import dev.wisent.server.ClusterRole;
import dev.wisent.server.ServerOptions;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DefaultPortTest {
  @Test
  void aMemberWithANewRoleStaysWhereItsSetLooksForIt(@TempDir Path directory) {
    int port;
    try (EmbeddedSet set = EmbeddedSet.start("rs", 1, directory, options -> {})) {
      port = set.members().getFirst().port();
    }
    for (ClusterRole role :
        new ClusterRole[] {ClusterRole.SHARD_SERVER, ClusterRole.CONFIG_SERVER}) {
      assertThatThrownBy(() -> EmbeddedNode.start(options(directory, role, 1, true)))
          .isInstanceOf(CommandException.class)
          .hasMessageContaining("127.0.0.1:" + port)
          .hasMessageContaining("--port");
    }
    try (EmbeddedNode again =
        EmbeddedNode.start(options(directory, ClusterRole.SHARD_SERVER, port, true))) {
      assertThat(again.port()).isEqualTo(port);
    }
    // A port that was asked for is taken: the set may be about to be reconfigured.
    try (EmbeddedNode moved =
        EmbeddedNode.start(options(directory, ClusterRole.SHARD_SERVER, 0, false))) {
      assertThat(moved.port()).isPositive();
    }
  }

  private static ServerOptions options(
      Path directory, ClusterRole role, int port, boolean byDefault) {
    return ServerOptions.builder(directory.resolve("rs-0"))
        .replicaSet("rs")
        .clusterRole(role)
        .port(port)
        .portByDefault(byDefault)
        .build();
  }
}
