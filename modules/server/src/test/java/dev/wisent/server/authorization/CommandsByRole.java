package dev.wisent.server.authorization;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.base.CommandException;
import dev.wisent.security.RoleName;
import dev.wisent.security.UserName;
import dev.wisent.security.role.BuiltinRoles;
import dev.wisent.security.role.RoleDefinition;
import dev.wisent.server.command.CommandSpec;
import dev.wisent.server.command.CommandTrait;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which built-in roles allow which commands of a server. A file has a line for each command with
 * the roles that allow it, those of a database for {@code test}; another has what MongoDB's manual
 * says about some of them.
 */
public final class CommandsByRole {
  /** Arguments without which a command would ask for another privilege, or for none. */
  private static final Map<String, String> ARGUMENTS =
      Map.ofEntries(
          Map.entry(
              "_mergeAuthzCollections",
              "1, tempUsersCollection: 'admin.tempusers', tempRolesCollection:"
                  + " 'admin.temproles', db: '', drop: true"),
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
          Map.entry("killOp", "1, op: 1"),
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

  private final Map<String, String> arguments = new HashMap<>(ARGUMENTS);
  private final CheckedCommands commands;
  private final List<CommandSpec> rows;
  private final Map<String, String> allowed = new TreeMap<>();

  /**
   * @param rows the table of a server
   * @param more arguments of commands that only some servers have
   */
  public CommandsByRole(List<CommandSpec> rows, Map<String, String> more) {
    this.rows = rows;
    this.commands = new CheckedCommands(rows);
    arguments.putAll(more);
    Map<String, UserName> users = new TreeMap<>();
    Stream.concat(BuiltinRoles.all("test").stream(), BuiltinRoles.all("admin").stream())
        .map(RoleDefinition::name)
        .filter(role -> !role.role().equals("__system"))
        .forEach(role -> users.put(named(role), commands.users.withRole(role)));
    for (CommandSpec row : rows) {
      allowed.put(
          row.name(),
          users.entrySet().stream()
              .filter(user -> commands.allows(user.getValue(), command(row)))
              .map(Map.Entry::getKey)
              .collect(Collectors.joining(" ")));
    }
  }

  private static String named(RoleName role) {
    return role.database().equals("admin") ? role.role() + "@admin" : role.role();
  }

  private String command(CommandSpec row) {
    boolean admin = row.is(CommandTrait.ADMIN_ONLY) || row.name().equals("bulkWrite");
    String argument = arguments.getOrDefault(row.name(), admin ? "'test.c'" : "'c'");
    return "{%s: %s, $db: '%s'}".formatted(row.name(), argument, admin ? "admin" : "test");
  }

  /** The roles that allow a command. */
  public String rolesOf(String command) {
    return allowed.get(command);
  }

  /** Whether a member of the cluster may run a command. */
  public boolean isForMembers(String command) {
    CommandSpec row =
        rows.stream().filter(each -> each.isCalled(command)).findFirst().orElseThrow();
    try {
      return commands.allows(UserName.SYSTEM, command(row));
    } catch (CommandException e) {
      throw new AssertionError(command, e);
    }
  }

  private List<String> lines() {
    return allowed.entrySet().stream()
        .map(row -> (row.getKey() + ": " + row.getValue()).strip())
        .toList();
  }

  /**
   * Compares the table with a file of a test. What was found is below {@code target} after a run.
   *
   * @param besides lines that need not be repeated in the file
   */
  public void requireAs(Class<?> test, String resource, List<String> besides) {
    List<String> actual = new ArrayList<>(lines());
    actual.removeAll(besides);
    try {
      Files.write(Path.of("target", resource), actual);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    assertThat(actual).isEqualTo(lines(test, resource));
  }

  /** Compares the table with the lines of a file of a test: a command, a role and what it may. */
  public void requireCells(Class<?> test, String resource) {
    List<String> cells = lines(test, resource);
    assertThat(cells).isNotEmpty().doesNotHaveDuplicates();
    for (String line : cells) {
      String[] cell = line.split(" ", -1);
      if (allowed.containsKey(cell[0])) {
        assertThat(List.of(allowed.get(cell[0]).split(" ", -1)).contains(cell[1]))
            .as(line)
            .isEqualTo(isAllowed(cell[2]));
      }
    }
  }

  private static boolean isAllowed(String word) {
    return switch (word) {
      case "allowed" -> true;
      case "refused" -> false;
      default -> throw new IllegalArgumentException(word);
    };
  }

  /** What a node allows that is in no cluster. */
  public static List<String> ofNode() {
    return lines(CommandsByRole.class, "commands-by-role.txt");
  }

  /** The lines of a file of a test, without comments. */
  public static List<String> lines(Class<?> test, String resource) {
    try (InputStream in = test.getResourceAsStream(resource)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.isBlank() && !line.startsWith("#"))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
