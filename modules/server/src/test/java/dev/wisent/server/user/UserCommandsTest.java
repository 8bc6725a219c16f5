package dev.wisent.server.user;

import static dev.wisent.server.harness.Replies.assertCode;
import static dev.wisent.server.harness.Replies.assertError;
import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.RawDocument;
import dev.wisent.security.scram.ScramCredential;
import dev.wisent.security.scram.ScramMechanism;
import dev.wisent.server.harness.EmbeddedServer;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UserCommandsTest {
  @RegisterExtension static final EmbeddedServer SERVER = new EmbeddedServer();

  @BeforeEach
  void none() {
    SERVER.run("{dropAllUsersFromDatabase: 1}");
    SERVER.run("{dropAllRolesFromDatabase: 1}");
    SERVER.run("$external", "{dropAllUsersFromDatabase: 1}");
  }

  private static List<BsonValue> users(String command) {
    return SERVER.run(command).getArray("users");
  }

  private static BsonDocument stored(String id) {
    return SERVER
        .database("admin")
        .getCollection("system.users", BsonDocument.class)
        .find(new BsonDocument("_id", new BsonString(id)))
        .first();
  }

  @Test
  void aUserIsStoredAsInMongoDb() {
    SERVER.run(
        "{createUser: 'ann', pwd: 'secret', roles: ['read', {role: 'readWrite', db: 'other'},"
            + " 'read'], customData: {a: 1}, authenticationRestrictions: [{clientSource:"
            + " ['127.0.0.1', '10.0.0.0/8']}], comment: 'x', writeConcern: {w: 1}}");
    BsonDocument user = stored("test.ann");
    assertThat(user.keySet())
        .containsExactly(
            "_id",
            "userId",
            "user",
            "db",
            "credentials",
            "authenticationRestrictions",
            "customData",
            "roles");
    assertThat(user.getBinary("userId").asUuid()).isNotNull();
    assertThat(user.getArray("roles").toString())
        .isEqualTo(
            "BsonArray{values=[{\"role\": \"read\", \"db\": \"test\"}, {\"role\": \"readWrite\","
                + " \"db\": \"other\"}]}");
    BsonDocument credentials = user.getDocument("credentials");
    assertThat(credentials.keySet()).containsExactly("SCRAM-SHA-1", "SCRAM-SHA-256");
    for (ScramMechanism mechanism : ScramMechanism.values()) {
      ScramCredential credential =
          ScramCredential.find(RawDocument.of(credentials), mechanism).orElseThrow();
      assertThat(credential.iterationCount())
          .isEqualTo(mechanism == ScramMechanism.SHA_1 ? 10_000 : 15_000);
    }
    assertThat(user.toJson()).doesNotContain("secret");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{createUser: 1, pwd: 'p', roles: []}                           | 14    | expected type"
            + " 'string'",
        "{createUser: 'x', pwd: 'p'}                                    | 40414 |"
            + " 'createUser.roles' is missing",
        "{createUser: 'x', roles: []}                                   | 2     | Must provide a"
            + " 'pwd' field",
        "{createUser: '', pwd: 'p', roles: []}                          | 2     | to be non-empty",
        "{createUser: 'x', pwd: '', roles: []}                          | 2     | Password cannot"
            + " be empty",
        "{createUser: 'x', pwd: 'p', roles: ['none']}                   | 31    | Could not find"
            + " role: none@test",
        "{createUser: 'x', pwd: 'p', roles: ['root', 'y']}              | 31    | Could not find"
            + " roles: root@test, y@test",
        "{createUser: 'x', pwd: 'p', roles: [1]}                        | 2     | must be either a"
            + " document or string",
        "{createUser: 'x', pwd: 'p', roles: [{role: 'read'}]}           | 2     | RoleName must"
            + " contain a field named: db",
        "{createUser: 'x', pwd: 'p', roles: [{role: 1, db: 'a'}]}       | 2     | But, has type"
            + " int",
        "{createUser: 'x', pwd: 'p', roles: [], mechanisms: []}         | 2     | mechanisms field"
            + " must not be empty",
        "{createUser: 'x', pwd: 'p', roles: [], mechanisms: ['PLAIN']}  | 2     | Unknown auth"
            + " mechanism 'PLAIN'",
        "{createUser: 'x', pwd: 'p', roles: [], digestPassword: false}  | 2     | requires"
            + " undigested passwords",
        "{createUser: 'x', pwd: 'p', roles: [], y: 1}                   | 40415 | 'createUser.y' is"
            + " an unknown field",
        "{createUser: 'x', pwd: 'p', roles: [], customData: 1}          | 14    | expected type"
            + " 'object'",
        "{createUser: 'x', pwd: 'p', roles: [], authenticationRestrictions: [{}]} | 162 | At least"
            + " one of",
        "{createUser: 'x', pwd: 'p', roles: [], authenticationRestrictions: [{clientSource:"
            + " ['a.b']}]} | 2 | Invalid IP",
        "{createUser: 'x', pwd: 'p', roles: [], authenticationRestrictions: [{from: ['a']}]} |"
            + " 40415 | unknown field",
        "{updateUser: 'x', pwd: 'p'}                                    | 11    | User x@test not"
            + " found",
        "{updateUser: 'x'}                                              | 2     | Must specify at"
            + " least one field",
        "{dropUser: 'x'}                                                | 11    | User 'x@test' not"
            + " found",
        "{grantRolesToUser: 'x', roles: ['read']}                       | 11    | Could not find"
            + " user \"x\" for db \"test\"",
        "{grantRolesToUser: 'x', roles: []}                             | 2     | requires a"
            + " non-empty \"roles\" array",
        "{revokeRolesFromUser: 'x'}                                     | 40414 |"
            + " 'revokeRolesFromUser.roles' is missing",
        "{usersInfo: 1, showPrivileges: true}                           | 20    | require"
            + " exact-match usersInfo queries",
        "{usersInfo: {user: 'a'}}                                       | 2     | UserName must"
            + " contain a field named: db",
        "{usersInfo: {user: 'a', db: 'b', c: 1}}                        | 2     | unknown field"
            + " named: 'c",
        "{usersInfo: 2}                                                 | 2     | must be either a"
            + " string or an object",
      })
  void wrongRequestsAreRefused(String command, int code, String message) {
    BsonDocument reply = SERVER.fail(command);
    assertCode(reply, code);
    assertThat(reply.getString("errmsg").getValue()).contains(message);
  }

  @Test
  void databasesWithoutPasswordsOrUsers() {
    assertError(
        SERVER.fail("local", "{createUser: 'x', pwd: 'p', roles: []}"),
        2,
        "Cannot create users in the local database");
    assertError(
        SERVER.fail("$external", "{createUser: 'CN=x', pwd: 'p', roles: []}"),
        2,
        "Cannot set the password for users defined on the '$external' database");
    SERVER.run("$external", "{createUser: 'CN=x', roles: [{role: 'read', db: 'test'}]}");
    assertThat(stored("$external.CN=x").getDocument("credentials").toJson())
        .isEqualTo("{\"external\": true}");
    BsonDocument reply = SERVER.run("$external", "{usersInfo: 'CN=x'}");
    assertThat(mechanisms(reply.getArray("users").getFirst())).containsExactly("external");
  }

  @Test
  void aUserExistsOnce() {
    SERVER.run("{createUser: 'ann', pwd: 'p', roles: []}");
    assertError(
        SERVER.fail("{createUser: 'ann', pwd: 'p', roles: []}"),
        51003,
        "User \"ann@test\" already exists");
    SERVER.run("other", "{createUser: 'ann', pwd: 'p', roles: []}");
    assertThat(users("{usersInfo: 'ann'}")).hasSize(1);
    SERVER.run("other", "{dropUser: 'ann'}");
    SERVER.run("{dropUser: 'ann'}");
    assertThat(users("{usersInfo: 1}")).isEmpty();
  }

  @Test
  void anUpdateChangesWhatItNames() {
    SERVER.run("{createUser: 'ann', pwd: 'p', roles: ['read'], customData: {a: 1}}");
    BsonDocument before = stored("test.ann");
    SERVER.run("{updateUser: 'ann', customData: {b: 2}, roles: ['dbAdmin']}");
    BsonDocument after = stored("test.ann");
    assertThat(after.get("credentials")).isEqualTo(before.get("credentials"));
    assertThat(after.get("userId")).isEqualTo(before.get("userId"));
    assertThat(after.get("customData")).isEqualTo(BsonDocument.parse("{b: 2}"));
    SERVER.run("{updateUser: 'ann', pwd: 'q'}");
    assertThat(stored("test.ann").get("credentials")).isNotEqualTo(before.get("credentials"));
    SERVER.run("{updateUser: 'ann', mechanisms: ['SCRAM-SHA-256']}");
    assertThat(stored("test.ann").getDocument("credentials").keySet())
        .containsExactly("SCRAM-SHA-256");
    assertError(
        SERVER.fail("{updateUser: 'ann', mechanisms: ['SCRAM-SHA-1']}"),
        2,
        "mechanisms field must be a subset of previously set mechanisms");
    SERVER.run("{updateUser: 'ann', authenticationRestrictions: [{serverAddress: ['::1']}]}");
    assertThat(stored("test.ann").containsKey("authenticationRestrictions")).isTrue();
    SERVER.run("{updateUser: 'ann', authenticationRestrictions: []}");
    assertThat(stored("test.ann").containsKey("authenticationRestrictions")).isFalse();
  }

  @Test
  void aDigestedPasswordIsForTheOldMechanism() {
    SERVER.run(
        "{createUser: 'ann', pwd: 'd', digestPassword: false, mechanisms: ['SCRAM-SHA-1'], roles:"
            + " []}");
    assertThat(mechanisms(users("{usersInfo: 'ann'}").getFirst())).containsExactly("SCRAM-SHA-1");
  }

  @Test
  void rolesComeAndGo() {
    SERVER.run("{createUser: 'ann', pwd: 'p', roles: ['read']}");
    SERVER.run("{grantRolesToUser: 'ann', roles: ['read', {role: 'root', db: 'admin'}]}");
    assertThat(stored("test.ann").getArray("roles")).hasSize(2);
    assertCode(SERVER.fail("{grantRolesToUser: 'ann', roles: ['none']}"), 31);
    SERVER.run("{revokeRolesFromUser: 'ann', roles: ['read', 'dbAdmin']}");
    assertThat(stored("test.ann").getArray("roles").toString()).contains("root");
    assertThat(stored("test.ann").getArray("roles")).hasSize(1);
  }

  @Test
  void everyFormOfUsersInfo() {
    SERVER.run("{createUser: 'bob', pwd: 'p', roles: ['read'], customData: {team: 1}}");
    SERVER.run("{createUser: 'ann', pwd: 'p', roles: ['dbOwner'], customData: {team: 2}}");
    SERVER.run("other", "{createUser: 'eve', pwd: 'p', roles: []}");
    assertThat(names("{usersInfo: 1}")).containsExactly("ann", "bob");
    assertThat(names("{usersInfo: {forAllDBs: true}}")).containsExactly("ann", "bob", "eve");
    assertThat(names("{usersInfo: {user: 'eve', db: 'other'}}")).containsExactly("eve");
    assertThat(names("{usersInfo: ['bob', {user: 'eve', db: 'other'}, 'none']}"))
        .containsExactly("bob", "eve");
    assertThat(names("{usersInfo: 'none'}")).isEmpty();
    assertThat(names("{usersInfo: 1, filter: {'customData.team': 2}}")).containsExactly("ann");
    assertThat(names("{usersInfo: 1, filter: {mechanisms: 'SCRAM-SHA-1'}}")).hasSize(2);
    BsonDocument plain = users("{usersInfo: 'ann'}").getFirst().asDocument();
    assertThat(plain.keySet())
        .containsExactly("_id", "userId", "user", "db", "customData", "roles", "mechanisms");
    BsonDocument secrets =
        users("{usersInfo: 1, showCredentials: true, showCustomData: false}")
            .getFirst()
            .asDocument();
    assertThat(secrets).containsKey("credentials").doesNotContainKey("customData");
    SERVER.run("other", "{dropAllUsersFromDatabase: 1}");
  }

  @Test
  void detailsAreThoseOfTheRoles() {
    SERVER.run(
        "{createRole: 'own', roles: ['read'], privileges: [{resource: {db: 'test', collection:"
            + " 'a'}, actions: ['insert', 'find']}], authenticationRestrictions: [{clientSource:"
            + " ['127.0.0.1']}]}");
    SERVER.run("{createUser: 'ann', pwd: 'p', roles: ['own']}");
    BsonDocument user =
        users("{usersInfo: 'ann', showPrivileges: true, showAuthenticationRestrictions: true}")
            .getFirst()
            .asDocument();
    assertThat(user.getArray("inheritedRoles").toString())
        .contains("\"own\"", "\"read\"")
        .doesNotContain("dbAdmin");
    assertThat(user.getArray("inheritedPrivileges").getFirst())
        .isEqualTo(
            BsonDocument.parse(
                "{resource: {db: 'test', collection: 'a'}, actions: ['find', 'insert']}"));
    assertThat(user.getArray("inheritedAuthenticationRestrictions").toString())
        .contains("127.0.0.1");
    assertThat(user.getArray("authenticationRestrictions")).isEmpty();
    assertThat(user.containsKey("credentials")).isFalse();
  }

  @Test
  void toolsFindTheFormat() {
    assertThat(
            SERVER.admin("{getParameter: 1, authSchemaVersion: 1}").getInt32("authSchemaVersion"))
        .isEqualTo(new BsonInt32(5));
    SERVER.run("{invalidateUserCache: 1}");
  }

  private static List<String> names(String command) {
    return users(command).stream()
        .map(user -> user.asDocument().getString("user").getValue())
        .toList();
  }

  private static List<String> mechanisms(BsonValue user) {
    return user.asDocument().getArray("mechanisms").stream()
        .map(each -> each.asString().getValue())
        .toList();
  }
}
