package dev.wisent.server.user;

import static dev.wisent.server.harness.Replies.assertCode;
import static dev.wisent.server.harness.Replies.assertError;
import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.server.harness.EmbeddedServer;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.Document;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code _mergeAuthzCollections}, by which mongorestore restores users and roles. */
class MergeAuthzCollectionsTest {
  @RegisterExtension static final EmbeddedServer SERVER = new EmbeddedServer();

  private static final String MERGE =
      "{_mergeAuthzCollections: 1, tempUsersCollection: 'admin.tempusers',"
          + " tempRolesCollection: 'admin.temproles', db: '%s', drop: %s}";

  /** A dump of ann and its role of shop, and of bob of store; then ann is changed. */
  @BeforeEach
  void dump() {
    for (String database : List.of("shop", "store")) {
      SERVER.run(database, "{dropAllUsersFromDatabase: 1}");
      SERVER.run(database, "{dropAllRolesFromDatabase: 1}");
    }
    SERVER.run(
        "shop",
        "{createRole: 'r', roles: [], privileges:"
            + " [{resource: {db: 'shop', collection: 'a'}, actions: ['find']}]}");
    SERVER.run("shop", "{createUser: 'ann', pwd: 'p', roles: ['r'], customData: {from: 'dump'}}");
    SERVER.run("store", "{createUser: 'bob', pwd: 'p', roles: ['read']}");
    put("tempusers", stored("system.users"));
    put("temproles", stored("system.roles"));
    SERVER.run("shop", "{updateUser: 'ann', customData: {from: 'now'}, roles: ['readWrite']}");
    SERVER.run("shop", "{updateRole: 'r', privileges: []}");
  }

  private static List<Document> stored(String collection) {
    return SERVER
        .database("admin")
        .getCollection(collection)
        .find(Document.parse("{db: {$in: ['shop', 'store']}}"))
        .into(new ArrayList<>());
  }

  private static void put(String collection, List<Document> documents) {
    SERVER.database("admin").getCollection(collection).drop();
    if (!documents.isEmpty()) {
      SERVER.database("admin").getCollection(collection).insertMany(documents);
    }
  }

  private static List<String> names() {
    return stored("system.users").stream().map(user -> user.getString("_id")).sorted().toList();
  }

  private static String fromOfAnn() {
    return stored("system.users").stream()
        .filter(user -> user.getString("_id").equals("shop.ann"))
        .findFirst()
        .orElseThrow()
        .get("customData", Document.class)
        .getString("from");
  }

  private static int privilegesOfRole() {
    return stored("system.roles").getFirst().getList("privileges", Document.class).size();
  }

  @Test
  void whatIsGoneComesBackAndWhatIsThereStays() {
    SERVER.run("store", "{dropUser: 'bob'}");
    SERVER.run("shop", "{createUser: 'new', pwd: 'p', roles: []}");
    SERVER.admin(MERGE.formatted("", "false"));
    assertThat(names()).containsExactly("shop.ann", "shop.new", "store.bob");
    assertThat(fromOfAnn()).isEqualTo("now");
    assertThat(privilegesOfRole()).isZero();
    BsonDocument bob =
        SERVER
            .run("store", "{usersInfo: 'bob', showCredentials: true}")
            .getArray("users")
            .getFirst()
            .asDocument();
    assertThat(bob.getDocument("credentials")).containsKey("SCRAM-SHA-256");
  }

  @Test
  void withDropThereIsWhatWasDumped() {
    SERVER.run("shop", "{createUser: 'new', pwd: 'p', roles: []}");
    SERVER.run("shop", "{createRole: 'other', roles: [], privileges: []}");
    SERVER.admin(MERGE.formatted("shop", "true"));
    assertThat(names()).containsExactly("shop.ann", "store.bob");
    assertThat(fromOfAnn()).isEqualTo("dump");
    assertThat(stored("system.roles")).hasSize(1);
    assertThat(privilegesOfRole()).isEqualTo(1);
  }

  @Test
  void aDatabaseIsRestoredAlone() {
    SERVER.run("shop", "{dropUser: 'ann'}");
    SERVER.run("store", "{dropUser: 'bob'}");
    SERVER.admin(MERGE.formatted("store", "true"));
    assertThat(names()).containsExactly("store.bob");
    assertThat(privilegesOfRole()).isZero();
    SERVER.admin("{_mergeAuthzCollections: 1, tempUsersCollection: 'admin.tempusers', db: 'shop'}");
    assertThat(names()).containsExactly("shop.ann", "store.bob");
    assertThat(privilegesOfRole()).isZero();
  }

  @Test
  void argumentsAreChecked() {
    assertError(
        SERVER.fail("admin", "{_mergeAuthzCollections: 1, db: ''}"),
        2,
        "Must provide at least one of \"tempUsersCollection\" and \"tempRolescollection\"");
    assertCode(
        SERVER.fail("admin", "{_mergeAuthzCollections: 1, tempUsersCollection: 'admin.t'}"), 40414);
    assertCode(SERVER.fail("admin", MERGE.formatted("", "'x'")), 14);
    assertCode(SERVER.fail("admin", MERGE.formatted("", "false, other: 1")), 40415);
    assertCode(SERVER.fail("shop", MERGE.formatted("", "false")), 13);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{_id: 'shop.x', user: 'x', db: 'shop', roles: []}",
        "{_id: 'shop.x', user: 'x', db: 'shop', credentials: {}}",
        "{_id: 'shop.y', user: 'x', db: 'shop', credentials: {}, roles: []}",
        "{_id: 'shop.x', user: 'x', db: 'shop', credentials: {}, roles: [1]}",
        "{_id: 'local.__system', user: '__system', db: 'local', credentials: {}, roles: []}",
        "{_id: 1, user: 1, db: 'shop', credentials: {}, roles: []}",
      })
  void nothingIsRestoredFromWhatIsNoUser(String document) {
    SERVER.run("store", "{dropUser: 'bob'}");
    SERVER.database("admin").getCollection("tempusers").insertOne(Document.parse(document));
    assertCode(SERVER.fail("admin", MERGE.formatted("", "true")), 2);
    assertThat(names()).containsExactly("shop.ann");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{_id: 'admin.root', role: 'root', db: 'admin', roles: [], privileges: []}",
        "{_id: 'shop.x', role: 'x', db: 'shop', roles: []}",
        "{_id: 'shop.x', role: '', db: 'shop', roles: [], privileges: []}",
      })
  void nothingIsRestoredFromWhatIsNoRole(String document) {
    SERVER.run("store", "{dropUser: 'bob'}");
    SERVER.database("admin").getCollection("temproles").insertOne(Document.parse(document));
    assertCode(SERVER.fail("admin", MERGE.formatted("", "true")), 2);
    assertThat(names()).containsExactly("shop.ann");
  }
}
