package dev.wisent.cluster.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.cluster.embedded.EmbeddedNode;
import dev.wisent.server.ClusterRole;
import dev.wisent.server.ServerOptions;
import dev.wisent.server.authorization.CommandsByRole;
import dev.wisent.server.command.CommandSpec;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The commands that only servers of a cluster have, and every built-in role: which of them may run
 * it. What such a server allows in the same way as any other is not repeated.
 */
class ClusterCommandsByRoleTest {
  private static final Map<String, String> ARGUMENTS =
      Map.of("checkMetadataConsistency", "1", "enableSharding", "'test'", "movePrimary", "'test'");

  /** What routers and config servers ask of shards, and shards of each other. */
  private static final List<String> INTERNAL = List.of("_shardsvr", "_configsvr", "_addShard");

  @TempDir static Path directory;
  private static final List<Table> TABLES = new ArrayList<>();

  private record Table(String resource, CommandsByRole roles, List<CommandSpec> rows) {}

  @BeforeAll
  static void readTables() {
    read("router", options -> options.configDb("config/127.0.0.1:1"));
    read(
        "config-server",
        options -> options.replicaSet("config").clusterRole(ClusterRole.CONFIG_SERVER));
    read("shard", options -> options.replicaSet("shard").clusterRole(ClusterRole.SHARD_SERVER));
  }

  private static void read(String name, Consumer<ServerOptions.Builder> options) {
    ServerOptions.Builder builder = ServerOptions.builder(directory.resolve(name)).port(0);
    options.accept(builder);
    try (EmbeddedNode node = EmbeddedNode.start(builder.build())) {
      List<CommandSpec> rows = node.commands();
      TABLES.add(
          new Table(name + "-commands-by-role.txt", new CommandsByRole(rows, ARGUMENTS), rows));
    }
  }

  @Test
  void rolesAllowWhatTheTablesSay() {
    List<String> ofNode = CommandsByRole.ofNode();
    for (Table table : TABLES) {
      table.roles().requireAs(ClusterCommandsByRoleTest.class, table.resource(), ofNode);
    }
  }

  @Test
  void theTablesAreWhatTheManualSays() {
    TABLES.getFirst().roles().requireCells(ClusterCommandsByRoleTest.class, "documented-cells.txt");
    Set<String> known = new HashSet<>();
    TABLES.getFirst().rows().forEach(row -> known.add(row.name()));
    assertThat(CommandsByRole.lines(ClusterCommandsByRoleTest.class, "documented-cells.txt"))
        .allSatisfy(cell -> assertThat(known).contains(cell.split(" ", -1)[0]));
  }

  @Test
  void membersAloneRunInternalCommands() {
    int count = 0;
    for (Table table : TABLES) {
      for (CommandSpec row : table.rows()) {
        if (INTERNAL.stream().anyMatch(row.name()::startsWith)) {
          assertThat(table.roles().rolesOf(row.name())).as(row.name()).isEmpty();
          assertThat(table.roles().isForMembers(row.name())).as(row.name()).isTrue();
          count++;
        }
      }
    }
    assertThat(count).isGreaterThan(50);
  }
}
