package dev.wisent.server.command.diagnostic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.server.ClusterRole;
import dev.wisent.server.ServerOptions;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** {@code getCmdLineOpts} of the nodes of a sharded cluster. */
class ClusterRoleOptionTest {
  @Test
  void isShownWhereOneIsGiven() {
    assertThat(parsed(ClusterRole.CONFIG_SERVER)).contains("\"clusterRole\": \"configsvr\"");
    assertThat(parsed(ClusterRole.SHARD_SERVER)).contains("\"clusterRole\": \"shardsvr\"");
    assertThat(parsed(ClusterRole.NONE)).doesNotContain("sharding");
  }

  private static String parsed(ClusterRole role) {
    var reply = new BsonBuilder();
    GetCmdLineOptsCommand.append(
        ServerOptions.builder(Path.of("data")).clusterRole(role).build(), reply);
    return reply.toDocument().toString();
  }
}
