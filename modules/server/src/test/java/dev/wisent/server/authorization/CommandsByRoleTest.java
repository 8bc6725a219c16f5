package dev.wisent.server.authorization;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.security.RoleName;
import dev.wisent.security.UserName;
import dev.wisent.security.role.BuiltinRoles;
import dev.wisent.security.role.RoleDefinition;
import dev.wisent.server.command.CommandSpec;
import dev.wisent.server.command.CommandTrait;
import dev.wisent.server.command.NodeRole;
import dev.wisent.server.harness.FakeReplicaSet;
import dev.wisent.server.harness.MemberServer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every command of a node and every built-in role: who may run it. {@code commands-by-role.txt} has
 * a line for each command with the roles that may, those of a database for {@code test}; {@code
 * documented-cells.txt} has what MongoDB's manual says about some of them.
 */
class CommandsByRoleTest {
  /** Arguments without which a command would ask for another privilege, or for none. */
  private static final Map<String, String> ARGUMENTS =
      Map.ofEntries(
          Map.entry("aggregate", "'c', pipeline: [], cursor: {}"),
          Map.entry("applyOps", "[{op: 'i', ns: 'test.c', o: {_id: 1}}]"),
          Map.entry("bulkWrite", "1, ops: [{insert: 0, document: {}}], nsInfo: [{ns: 'test.c'}]"),
          Map.entry("cloneCollectionAsCapped", "'c', toCollection: 'd', size: 1000"),
          Map.entry("createRole", "'r', roles: ['read'], privileges: []"),
          Map.entry("createUser", "'u', pwd: 'p', roles: ['read']"),
          Map.entry("dataSize", "'test.c'"),
          Map.entry("explain", "{find: 'c'}"),
          Map.entry("findAndModify", "'c', update: {}"),
          Map.entry("getMore", "{$numberLong: '1'}, collection: 'c'"),
          Map.entry(
              "grantPrivilegesToRole",
              "'r', privileges: [{resource: {db: 'test', collection: ''}, actions: ['find']}]"),
          Map.entry("grantRolesToRole", "'r', roles: ['read']"),
          Map.entry("grantRolesToUser", "'u', roles: ['read']"),
          Map.entry("killCursors", "'c', cursors: [{$numberLong: '1'}]"),
          Map.entry("listDatabases", "1, authorizedDatabases: false"),
          Map.entry("mapReduce", "'c', out: 'd'"),
          Map.entry("profile", "2"),
          Map.entry("renameCollection", "'test.c', to: 'test.d'"),
          Map.entry(
              "revokePrivilegesFromRole",
              "'r', privileges: [{resource: {db: 'test', collection: ''}, actions: ['find']}]"),
          Map.entry("revokeRolesFromRole", "'r', roles: ['read']"),
          Map.entry("revokeRolesFromUser", "'u', roles: ['read']"),
          Map.entry("rolesInfo", "1"),
          Map.entry("update", "'c', updates: [{q: {}, u: {}}]"),
          Map.entry("updateRole", "'r', roles: ['read']"),
          Map.entry("updateUser", "'u', pwd: 'p'"),
          Map.entry("usersInfo", "1"),
          Map.entry("validateDBMetadata", "1, db: 'test', apiParameters: {version: '1'}"));

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

  @Test
  void rolesAllowWhatTheTableSays() throws IOException {
    List<String> actual =
        allowed().entrySet().stream()
            .map(row -> (row.getKey() + ": " + row.getValue()).strip())
            .toList();
    assertThat(actual).isEqualTo(lines("commands-by-role.txt"));
  }

  @Test
  void theTableIsWhatTheManualSays() throws IOException {
    Map<String, String> allowed = allowed();
    for (String line : lines("documented-cells.txt")) {
      String[] cell = line.split(" ", -1);
      assertThat(List.of(allowed.get(cell[0]).split(" ", -1)).contains(cell[1]))
          .as(line)
          .isEqualTo(cell[2].equals("allowed"));
    }
  }

  private Map<String, String> allowed() {
    List<CommandSpec> rows = server.commands(NodeRole.DATA_NODE);
    var commands = new CheckedCommands(rows);
    Map<String, UserName> users = new TreeMap<>();
    Stream.concat(BuiltinRoles.all("test").stream(), BuiltinRoles.all("admin").stream())
        .map(RoleDefinition::name)
        .filter(role -> !role.role().equals("__system"))
        .forEach(role -> users.put(named(role), commands.users.withRole(role)));
    var allowed = new TreeMap<String, String>();
    for (CommandSpec row : rows) {
      allowed.put(
          row.name(),
          users.entrySet().stream()
              .filter(user -> commands.allows(user.getValue(), command(row)))
              .map(Map.Entry::getKey)
              .collect(Collectors.joining(" ")));
    }
    return allowed;
  }

  private static String named(RoleName role) {
    return role.database().equals("admin") ? role.role() + "@admin" : role.role();
  }

  private static String command(CommandSpec row) {
    boolean admin = row.is(CommandTrait.ADMIN_ONLY) || row.name().equals("bulkWrite");
    String argument = ARGUMENTS.getOrDefault(row.name(), admin ? "'test.c'" : "'c'");
    return "{%s: %s, $db: '%s'}".formatted(row.name(), argument, admin ? "admin" : "test");
  }

  private static List<String> lines(String resource) throws IOException {
    try (InputStream in = CommandsByRoleTest.class.getResourceAsStream(resource)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.isBlank() && !line.startsWith("#"))
          .toList();
    }
  }
}
