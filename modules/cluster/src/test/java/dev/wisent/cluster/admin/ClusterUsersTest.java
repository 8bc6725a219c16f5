package dev.wisent.cluster.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoCredential;
import com.mongodb.MongoSecurityException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.Document;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Users and roles of a cluster are on its config servers; a shard has its own beside them. */
class ClusterUsersTest {
  @RegisterExtension static final AdminCluster CLUSTER = new AdminCluster();

  @BeforeEach
  void none() {
    CLUSTER.run("shop", "{dropAllUsersFromDatabase: 1}");
    CLUSTER.run("shop", "{dropAllRolesFromDatabase: 1}");
  }

  private static List<String> names(BsonDocument reply, String list, String field) {
    return reply.getArray(list).stream()
        .map(each -> each.asDocument().getString(field).getValue())
        .toList();
  }

  private static List<String> users(String command) {
    return names(CLUSTER.run("shop", command), "users", "user");
  }

  @Test
  void usersAreOnTheConfigServers() {
    CLUSTER.run("shop", "{createUser: 'ann', pwd: 'p', roles: ['readWrite'], comment: 'x'}");
    CLUSTER.run(
        "shop", "{createUser: 'bob', pwd: 'p', roles: ['read'], writeConcern: {w: 'majority'}}");
    assertThat(users("{usersInfo: 1}")).containsExactly("ann", "bob");
    assertThat(CLUSTER.collection("admin.system.users").find(new Document("db", "shop")))
        .hasSize(2);
    assertThat(CLUSTER.onShard(0, "admin").getCollection("system.users").find()).isEmpty();
    CLUSTER.run("shop", "{updateUser: 'ann', customData: {a: 1}}");
    CLUSTER.run("shop", "{grantRolesToUser: 'ann', roles: ['dbAdmin']}");
    CLUSTER.run("shop", "{revokeRolesFromUser: 'ann', roles: ['readWrite']}");
    BsonDocument ann =
        CLUSTER
            .run("shop", "{usersInfo: 'ann', showPrivileges: true}")
            .getArray("users")
            .getFirst()
            .asDocument();
    assertThat(names(ann, "roles", "role")).containsExactly("dbAdmin");
    assertThat(ann.getDocument("customData")).isEqualTo(BsonDocument.parse("{a: 1}"));
    CLUSTER.run("shop", "{dropUser: 'bob'}");
    assertThat(users("{usersInfo: {forAllDBs: 1}}")).containsExactly("ann");
    BsonDocument dropped = CLUSTER.run("shop", "{dropAllUsersFromDatabase: 1}");
    assertThat(dropped.getInt32("n").getValue()).isEqualTo(1);
    CLUSTER.admin("{invalidateUserCache: 1}");
  }

  @Test
  void rolesAreOnTheConfigServers() {
    String find = "{resource: {db: 'shop', collection: 'a'}, actions: ['find']}";
    CLUSTER.run("shop", "{createRole: 'a', privileges: [" + find + "], roles: []}");
    CLUSTER.run("shop", "{createRole: 'b', privileges: [], roles: ['a']}");
    CLUSTER.run("shop", "{grantRolesToRole: 'b', roles: ['read']}");
    CLUSTER.run("shop", "{revokeRolesFromRole: 'b', roles: ['read']}");
    CLUSTER.run("shop", "{grantPrivilegesToRole: 'b', privileges: [" + find + "]}");
    CLUSTER.run("shop", "{revokePrivilegesFromRole: 'b', privileges: [" + find + "]}");
    CLUSTER.run("shop", "{updateRole: 'a', roles: ['dbAdmin']}");
    BsonDocument roles = CLUSTER.run("shop", "{rolesInfo: 1}");
    assertThat(names(roles, "roles", "role")).containsExactlyInAnyOrder("a", "b");
    CLUSTER.run("shop", "{createUser: 'ann', pwd: 'p', roles: ['a', 'b']}");
    CLUSTER.run("shop", "{dropRole: 'a'}");
    BsonDocument ann =
        CLUSTER.run("shop", "{usersInfo: 'ann'}").getArray("users").getFirst().asDocument();
    assertThat(names(ann, "roles", "role")).containsExactly("b");
  }

  /** mongorestore puts them into collections of admin, through the router. */
  @Test
  void usersOfADumpAreRestored() {
    CLUSTER.run("shop", "{createRole: 'r', privileges: [], roles: ['read']}");
    CLUSTER.run("shop", "{createUser: 'ann', pwd: 'secret', roles: ['r']}");
    for (var names : List.of(List.of("users", "tempusers"), List.of("roles", "temproles"))) {
      var restored = CLUSTER.collection("admin." + names.get(1));
      restored.drop();
      CLUSTER
          .collection("admin.system." + names.get(0))
          .find(new Document("db", "shop"))
          .forEach(restored::insertOne);
    }
    none();
    CLUSTER.run("shop", "{createUser: 'other', pwd: 'p', roles: []}");
    CLUSTER.admin(
        "{_mergeAuthzCollections: 1, tempUsersCollection: 'admin.tempusers',"
            + " tempRolesCollection: 'admin.temproles', db: 'shop', drop: true,"
            + " writeConcern: {w: 'majority'}}");
    assertThat(users("{usersInfo: 1}")).containsExactly("ann");
    try (MongoClient ann = as("ann", "secret")) {
      assertThat(ann.getDatabase("shop").runCommand(new Document("connectionStatus", 1)).toJson())
          .contains("\"ann\"", "\"r\"", "\"read\"");
    }
  }

  @Test
  void errorsAreThoseOfANode() {
    CLUSTER.run("shop", "{createUser: 'ann', pwd: 'p', roles: []}");
    assertThat(code("{createUser: 'ann', pwd: 'p', roles: []}")).isEqualTo(51003);
    assertThat(code("{createUser: 'x', pwd: 'p', roles: ['none']}")).isEqualTo(31);
    assertThat(code("{createUser: 'x', pwd: 'p', roles: [], y: 1}")).isEqualTo(40415);
    assertThat(code("{dropUser: 'none'}")).isEqualTo(11);
    assertThat(code("{dropRole: 'none'}")).isEqualTo(31);
  }

  private static int code(String command) {
    return CLUSTER.fail("shop", command).getInt32("code").getValue();
  }

  @Test
  void aShardHasItsOwn() {
    CLUSTER
        .onShard(0, "shop")
        .runCommand(Document.parse("{createUser: 'local', pwd: 'p', roles: ['read']}"));
    assertThat(users("{usersInfo: 1}")).isEmpty();
    CLUSTER.onShard(0, "shop").runCommand(Document.parse("{dropUser: 'local'}"));
  }

  @Test
  void aUserLogsInThroughTheRouter() {
    CLUSTER.run("shop", "{createRole: 'own', privileges: [], roles: ['read']}");
    CLUSTER.run("shop", "{createUser: 'ann', pwd: 'secret', roles: ['own']}");
    try (MongoClient ann = as("ann", "secret")) {
      Document status = ann.getDatabase("shop").runCommand(new Document("connectionStatus", 1));
      assertThat(status.toJson()).contains("\"ann\"", "\"own\"", "\"read\"");
    }
    CLUSTER.run("shop", "{updateUser: 'ann', pwd: 'other'}");
    try (MongoClient ann = as("ann", "secret")) {
      assertThatThrownBy(() -> ann.getDatabase("shop").runCommand(new Document("ping", 1)))
          .isInstanceOf(MongoSecurityException.class);
    }
  }

  private static MongoClient as(String user, String password) {
    return MongoClients.create(
        MongoClientSettings.builder()
            .applyConnectionString(new ConnectionString(CLUSTER.cluster().uri()))
            .credential(MongoCredential.createCredential(user, "shop", password.toCharArray()))
            .build());
  }
}
