package dev.wisent.server.user;

import static dev.wisent.server.harness.Replies.assertCode;
import static dev.wisent.server.harness.Replies.assertError;
import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.server.harness.EmbeddedServer;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RoleCommandsTest {
  @RegisterExtension static final EmbeddedServer SERVER = new EmbeddedServer();

  private static final String FIND = "{resource: {db: 'test', collection: 'a'}, actions: ['find']}";

  @BeforeEach
  void none() {
    for (String database : List.of("test", "admin")) {
      SERVER.run(database, "{dropAllUsersFromDatabase: 1}");
      SERVER.run(database, "{dropAllRolesFromDatabase: 1}");
    }
  }

  private static BsonDocument role(String name) {
    return SERVER
        .run("{rolesInfo: '" + name + "', showPrivileges: true}")
        .getArray("roles")
        .getFirst()
        .asDocument();
  }

  private static List<String> actions(String name) {
    return role(name).getArray("privileges").stream()
        .flatMap(each -> each.asDocument().getArray("actions").stream())
        .map(action -> action.asString().getValue())
        .toList();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{createRole: 'x', roles: []}                                   | 40414 |"
            + " 'createRole.privileges' is missing",
        "{createRole: 'x', privileges: []}                              | 40414 |"
            + " 'createRole.roles' is missing",
        "{createRole: '', privileges: [], roles: []}                    | 2     | Role name must be"
            + " non-empty",
        "{createRole: 'read', privileges: [], roles: []}                | 2     | same name as a"
            + " built-in role",
        "{createRole: 'x', privileges: [], roles: ['none']}             | 31    | Cannot grant"
            + " roles to 'x@test': Could not find role: none@test",
        "{createRole: 'x', privileges: [], roles: ['x']}                | 49    | Cannot grant role"
            + " x@test to itself.",
        "{createRole: 'x', privileges: [], roles: [{role: 'root', db: 'admin'}]} | 49 | cannot be"
            + " granted roles from other databases",
        "{createRole: 'x', roles: [], privileges: [{resource: {cluster: true}, actions:"
            + " ['shutdown']}]} | 49 | target other databases or the cluster",
        "{createRole: 'x', roles: [], privileges: [{resource: {db: '', collection: ''}, actions:"
            + " ['find']}]} | 49 | target other databases",
        "{createRole: 'x', roles: [], privileges: [{resource: {db: 'test', collection: ''},"
            + " actions: []}]} | 2 | must not be empty",
        "{createRole: 'x', roles: [], privileges: [{resource: {db: 'test', collection: ''},"
            + " actions: ['fly']}]} | 2 | Unknown action type in privilege set: 'fly'",
        "{createRole: 'x', roles: [], privileges: [{resource: {db: 'test'}, actions: ['find']}]} |"
            + " 2 | must contain 'collection' or 'systemBuckets'",
        "{createRole: 'x', roles: [], privileges: [{resource: {collection: 'a'}, actions:"
            + " ['find']}]} | 2 | must include 'db' field",
        "{createRole: 'x', roles: [], privileges: [{resource: {cluster: false}, actions:"
            + " ['find']}]} | 2 | {cluster: false} must be true",
        "{createRole: 'x', roles: [], privileges: [{resource: {cluster: true, db: 'a'}, actions:"
            + " ['find']}]} | 2 | resource: {cluster: true} conflicts with resource type 'db'",
        "{createRole: 'x', roles: [], privileges: [{actions: ['find']}]} | 40414 |"
            + " 'createRole.privileges.resource' is missing",
        "{createRole: 'x', roles: [], privileges: [{resource: {db: 1, collection: ''}, actions:"
            + " ['find']}]} | 14 | createRole.privileges.resource.db",
        "{createRole: 'x', roles: [], privileges: [1]}                  | 14    |"
            + " createRole.privileges.0",
        "{createRole: 'x', roles: [], privileges: [], y: 1}             | 40415 | 'createRole.y' is"
            + " an unknown field",
        "{updateRole: 'x', roles: []}                                   | 31    | Could not find"
            + " role: x@test",
        "{updateRole: 'x'}                                              | 2     | Must specify at"
            + " least one field",
        "{dropRole: 'x'}                                                | 31    | Could not find"
            + " role: x@test",
        "{dropRole: 'read'}                                             | 2     | read@test is a"
            + " built-in role and cannot be modified",
        "{grantRolesToRole: 'read', roles: ['dbAdmin']}                 | 2     | read@test is a"
            + " built-in role and cannot be modified",
        "{grantRolesToRole: 'x', roles: ['read']}                       | 31    | Role x@test not"
            + " found",
        "{grantPrivilegesToRole: 'x', privileges: []}                   | 2     | requires a"
            + " non-empty \"privileges\" array",
        "{revokePrivilegesFromRole: 'x'}                                | 40414 |"
            + " 'revokePrivilegesFromRole.privileges' is missing",
        "{rolesInfo: 1, showPrivileges: 'asUserFragment'}               | 20    | Cannot get user"
            + " fragment for all roles",
        "{rolesInfo: {forAllDBs: true}}                                 | 2     | RoleName must"
            + " contain a field named: role",
      })
  void wrongRequestsAreRefused(String command, int code, String message) {
    BsonDocument reply = SERVER.fail(command);
    assertCode(reply, code);
    assertThat(reply.getString("errmsg").getValue()).contains(message);
  }

  @Test
  void databasesWithoutRoles() {
    String create = "{createRole: 'x', privileges: [], roles: []}";
    assertError(SERVER.fail("local", create), 2, "Cannot create roles in the local database");
    assertError(
        SERVER.fail("$external", create), 2, "Cannot create roles in the $external database");
  }

  @Test
  void aRoleExistsOnce() {
    SERVER.run("{createRole: 'x', privileges: [" + FIND + "], roles: []}");
    assertError(
        SERVER.fail("{createRole: 'x', privileges: [], roles: []}"),
        51002,
        "Role \"x@test\" already exists");
    BsonDocument stored =
        SERVER
            .database("admin")
            .getCollection("system.roles", BsonDocument.class)
            .find(BsonDocument.parse("{_id: 'test.x'}"))
            .first();
    assertThat(stored)
        .isEqualTo(
            BsonDocument.parse(
                "{_id: 'test.x', role: 'x', db: 'test', privileges: [" + FIND + "], roles: []}"));
  }

  @Test
  void cyclesAreRefused() {
    SERVER.run("{createRole: 'a', privileges: [], roles: []}");
    SERVER.run("{createRole: 'b', privileges: [], roles: ['a']}");
    SERVER.run("{createRole: 'c', privileges: [], roles: ['b']}");
    assertError(
        SERVER.fail("{grantRolesToRole: 'a', roles: ['c']}"),
        49,
        "Granting roles to a@test would introduce a cycle in the role graph");
    assertCode(SERVER.fail("{updateRole: 'a', roles: ['b']}"), 49);
    assertThat(role("c").getArray("inheritedRoles").toString()).contains("\"a\"", "\"b\"");
  }

  @Test
  void privilegesAreGrantedAndRevoked() {
    SERVER.run("{createRole: 'x', privileges: [" + FIND + "], roles: []}");
    SERVER.run(
        "{grantPrivilegesToRole: 'x', privileges: [{resource: {db: 'test', collection: 'a'},"
            + " actions: ['insert', 'update']}, {resource: {db: 'test', collection: ''}, actions:"
            + " ['dbStats']}]}");
    assertThat(actions("x")).containsExactly("find", "insert", "update", "dbStats");
    SERVER.run(
        "{revokePrivilegesFromRole: 'x', privileges: [{resource: {db: 'test', collection: 'a'},"
            + " actions: ['find', 'update', 'remove']}, {resource: {db: 'test', collection: ''},"
            + " actions: ['dbStats']}]}");
    assertThat(actions("x")).containsExactly("insert");
    SERVER.run("{updateRole: 'x', privileges: [" + FIND + "], roles: ['read']}");
    assertThat(actions("x")).containsExactly("find");
    SERVER.run("{revokeRolesFromRole: 'x', roles: ['read']}");
    assertThat(role("x").getArray("roles")).isEmpty();
    SERVER.run("{grantRolesToRole: 'x', roles: ['dbAdmin', 'dbAdmin']}");
    assertThat(role("x").getArray("roles")).hasSize(1);
  }

  @Test
  void everyActionAtOnce() {
    SERVER.admin(
        "{createRole: 'all', roles: [], privileges: [{resource: {anyResource: true}, actions:"
            + " ['anyAction']}, {resource: {db: 'test', system_buckets: 'b'}, actions: ['find']},"
            + " {resource: {system_buckets: ''}, actions: ['find']}]}");
    BsonDocument shown =
        SERVER
            .admin("{rolesInfo: 'all', showPrivileges: true}")
            .getArray("roles")
            .getFirst()
            .asDocument();
    assertThat(shown.getArray("privileges"))
        .isEqualTo(
            BsonArray.parse(
                "[{resource: {anyResource: true}, actions: ['anyAction']}, {resource: {db: 'test',"
                    + " system_buckets: 'b'}, actions: ['find']}, {resource: {system_buckets: ''},"
                    + " actions: ['find']}]"));
  }

  @Test
  void aDroppedRoleIsTakenFromAll() {
    SERVER.run("{createRole: 'a', privileges: [], roles: []}");
    SERVER.run("{createRole: 'b', privileges: [], roles: ['a', 'read']}");
    SERVER.run("{createUser: 'ann', pwd: 'p', roles: ['a', 'b']}");
    SERVER.run("{dropRole: 'a'}");
    assertThat(role("b").getArray("roles").toString()).contains("read").doesNotContain("\"a\"");
    assertThat(roles("ann")).containsExactly("b");
    assertThat(SERVER.run("{dropAllRolesFromDatabase: 1}").getInt32("n").getValue()).isEqualTo(1);
    assertThat(roles("ann")).isEmpty();
  }

  private static List<String> roles(String user) {
    return SERVER
        .run("{usersInfo: '" + user + "'}")
        .getArray("users")
        .getFirst()
        .asDocument()
        .getArray("roles")
        .stream()
        .map(each -> each.asDocument().getString("role").getValue())
        .toList();
  }

  @Test
  void everyFormOfRolesInfo() {
    SERVER.run("{createRole: 'x', privileges: [" + FIND + "], roles: ['read']}");
    assertThat(SERVER.run("{rolesInfo: 1}").getArray("roles")).hasSize(1);
    assertThat(SERVER.run("{rolesInfo: 1, showBuiltinRoles: true}").getArray("roles")).hasSize(7);
    assertThat(SERVER.run("{rolesInfo: 'none'}").getArray("roles")).isEmpty();
    BsonDocument plain =
        SERVER
            .run("{rolesInfo: {role: 'x', db: 'test'}, showAuthenticationRestrictions: true}")
            .getArray("roles")
            .getFirst()
            .asDocument();
    assertThat(plain)
        .containsKeys("isBuiltin", "roles", "inheritedRoles", "authenticationRestrictions")
        .doesNotContainKey("privileges");
    BsonDocument root =
        SERVER
            .run("{rolesInfo: [{role: 'root', db: 'admin'}], showPrivileges: true}")
            .getArray("roles")
            .getFirst()
            .asDocument();
    assertThat(root.getBoolean("isBuiltin").getValue()).isTrue();
    assertThat(root.getArray("inheritedPrivileges")).isEqualTo(root.getArray("privileges"));
    BsonDocument fragment =
        SERVER
            .run("{rolesInfo: ['x'], showPrivileges: 'asUserFragment'}")
            .getDocument("userFragment");
    assertThat(fragment.keySet()).containsExactly("roles", "inheritedRoles", "inheritedPrivileges");
  }
}
