package dev.wisent.server.authorization;

import static dev.wisent.server.authorization.LoggedIn.on;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoSecurityException;
import com.mongodb.client.MongoClient;
import dev.wisent.server.harness.Eventually;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Who may change users and roles, and when that takes effect. */
class UserAdministrationTest {
  @RegisterExtension static final LoggedIn SERVER = new LoggedIn();

  private static int code(MongoClient client, String database, String command) {
    try {
      client.getDatabase(database).runCommand(Document.parse(command));
      return 0;
    } catch (MongoCommandException e) {
      return e.getCode();
    }
  }

  private static void awaitCode(String user, int code, String command) {
    Eventually.await(
        user + " has code " + code, () -> code(SERVER.as(user), "shop", command) == code);
  }

  @Test
  void changesTakeEffectOnOpenConnections() {
    String find = "{find: 'a'}";
    String insert = "{insert: 'a', documents: [{}]}";
    SERVER.createRole("changing", on("shop.a", "'find'"));
    SERVER.create("carl", "");
    SERVER.refuses("carl", "shop", find, insert);
    SERVER.root("admin", "{grantRolesToUser: 'carl', roles: ['changing']}");
    awaitCode("carl", 0, find);
    SERVER.refuses("carl", "shop", insert);
    SERVER.root(
        "admin",
        "{grantPrivilegesToRole: 'changing', privileges: [%s]}"
            .formatted(on("shop.a", "'insert'")));
    awaitCode("carl", 0, insert);
    SERVER.root("admin", "{updateRole: 'changing', privileges: []}");
    awaitCode("carl", 13, find);
    SERVER.root("admin", "{updateUser: 'carl', roles: [{role: 'read', db: 'shop'}]}");
    awaitCode("carl", 0, find);
    SERVER.root("admin", "{dropUser: 'carl'}");
    awaitCode("carl", 13, find);
    assertThat(SERVER.failure("carl", "shop", find).getErrorMessage())
        .isEqualTo("Command find requires authentication");
    SERVER.create("carl", "{role: 'read', db: 'shop'}");
    SERVER.root("admin", "{invalidateUserCache: 1}");
    assertThat(code(SERVER.as("carl"), "shop", find)).isEqualTo(13);
  }

  @Test
  void aNameIsNotTheUser() {
    SERVER.create("twice", "{role: 'read', db: 'shop'}");
    SERVER.allows("twice", "shop", "{find: 'a'}");
    SERVER.root("admin", "{dropUser: 'twice'}");
    SERVER.create("twice", "{role: 'read', db: 'shop'}");
    awaitCode("twice", 13, "{find: 'a'}");
    try (MongoClient again = SERVER.open("twice", "twice")) {
      assertThat(code(again, "shop", "{find: 'a'}")).isZero();
    }
  }

  @Test
  void usersAreNoCollectionForOthers() {
    SERVER.create("reader", "'readAnyDatabase'");
    SERVER.create("writer", "'readWriteAnyDatabase', 'dbAdminAnyDatabase'");
    for (String collection : new String[] {"system.users", "system.roles", "system.version"}) {
      String named = "'" + collection + "'";
      for (String user : new String[] {"reader", "writer"}) {
        SERVER.refuses(
            user,
            "admin",
            "{insert: " + named + ", documents: [{}]}",
            "{update: " + named + ", updates: [{q: {}, u: {$set: {x: 1}}}]}",
            "{delete: " + named + ", deletes: [{q: {}, limit: 0}]}",
            "{drop: " + named + "}",
            "{renameCollection: 'shop.a', to: 'admin." + collection + "', dropTarget: true}",
            "{aggregate: " + named + ", pipeline: [], cursor: {}}",
            "{find: " + named + "}");
      }
      SERVER.refuses(
          "writer",
          "shop",
          "{aggregate: 'a', pipeline: [{$out: {db: 'admin', coll: " + named + "}}], cursor: {}}");
      SERVER.refuses(
          "writer",
          "shop",
          "{aggregate: 'a', pipeline: [{$merge: {into: {db: 'admin', coll: "
              + named
              + "}}}], cursor: {}}");
    }
    SERVER.refuses(
        "writer", "admin", "{createUser: 'x', pwd: 'x', roles: []}", "{dropUser: 'root'}");
  }

  @Test
  void anAdministratorOfADatabaseStaysInIt() {
    SERVER.create("warden", "{role: 'userAdmin', db: 'shop'}");
    SERVER.allows(
        "warden",
        "shop",
        "{createUser: 'dan', pwd: 'dan', roles: ['readWrite']}",
        "{createRole: 'r', privileges: [%s], roles: ['read']}".formatted(on("shop.a", "'find'")),
        "{grantRolesToUser: 'dan', roles: ['r']}",
        "{updateUser: 'dan', pwd: 'other'}",
        "{usersInfo: 1}",
        "{rolesInfo: 1}");
    SERVER.refuses(
        "warden",
        "shop",
        "{createUser: 'eve', pwd: 'eve', roles: [{role: 'read', db: 'other'}]}",
        "{createUser: 'eve', pwd: 'eve', roles: [{role: 'root', db: 'admin'}]}",
        "{grantRolesToUser: 'dan', roles: [{role: 'root', db: 'admin'}]}",
        "{updateUser: 'dan', roles: [{role: 'readAnyDatabase', db: 'admin'}]}",
        "{createRole: 's', privileges: [%s], roles: []}".formatted(on("other.a", "'find'")),
        "{createRole: 's', privileges: [%s], roles: []}".formatted(on(".", "'find'")),
        "{grantPrivilegesToRole: 'r', privileges: [{resource: {anyResource: true}, actions:"
            + " ['anyAction']}]}",
        "{grantRolesToRole: 'r', roles: [{role: 'root', db: 'admin'}]}",
        "{find: 'a'}");
    SERVER.refuses(
        "warden",
        "admin",
        "{createUser: 'eve', pwd: 'eve', roles: []}",
        "{updateUser: 'root', pwd: 'x'}",
        "{grantRolesToUser: 'warden', roles: ['root']}",
        "{dropUser: 'root'}",
        "{usersInfo: 'root'}",
        "{usersInfo: {forAllDBs: true}}");
    SERVER.refuses("warden", "other", "{createUser: 'eve', pwd: 'eve', roles: []}");
    SERVER.allows("warden", "shop", "{dropUser: 'dan'}", "{dropRole: 'r'}");
  }

  @Test
  void aUserChangesItsOwnPasswordIfItMay() {
    SERVER.createRole("self", on("admin.", "'changeOwnPassword', 'changeOwnCustomData'"));
    SERVER.create("may", "'self'");
    SERVER.create("maynot", "{role: 'read', db: 'shop'}");
    SERVER.refuses("maynot", "admin", "{updateUser: 'maynot', pwd: 'new'}");
    SERVER.refuses("may", "admin", "{updateUser: 'maynot', pwd: 'new'}");
    SERVER.refuses("may", "admin", "{updateUser: 'may', pwd: 'new', roles: ['root']}");
    SERVER.allows("maynot", "admin", "{usersInfo: 'maynot'}");
    SERVER.allows("may", "admin", "{updateUser: 'may', pwd: 'new', customData: {a: 1}}");
    try (MongoClient client = SERVER.open("may", "new")) {
      assertThat(code(client, "admin", "{ping: 1}")).isZero();
      assertThat(code(client, "admin", "{connectionStatus: 1}")).isZero();
    }
    try (MongoClient client = SERVER.open("may", "may")) {
      assertThatThrownBy(() -> code(client, "admin", "{ping: 1}"))
          .isInstanceOf(MongoSecurityException.class);
    }
  }
}
