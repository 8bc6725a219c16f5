package dev.wisent.server.authorization;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.server.command.NodeRole;
import dev.wisent.server.harness.FakeReplicaSet;
import dev.wisent.server.harness.MemberServer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every command of a node and every built-in role: which of them may run it. */
class CommandsByRoleTest {
  @TempDir Path directory;
  private MemberServer server;

  @BeforeEach
  void start() {
    server = new MemberServer(directory, new FakeReplicaSet(3));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private CommandsByRole table() {
    return new CommandsByRole(server.commands(NodeRole.DATA_NODE), Map.of());
  }

  @Test
  void rolesAllowWhatTheTableSays() {
    table().requireAs(CommandsByRoleTest.class, "commands-by-role.txt", List.of());
  }

  @Test
  void theTableIsWhatTheManualSays() {
    CommandsByRole table = table();
    table.requireCells(CommandsByRoleTest.class, "documented-cells.txt");
    assertThat(CommandsByRole.lines(CommandsByRoleTest.class, "documented-cells.txt"))
        .allSatisfy(cell -> assertThat(table.rolesOf(cell.split(" ", -1)[0])).as(cell).isNotNull());
  }
}
