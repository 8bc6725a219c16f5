package dev.wisent.cluster.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoSecurityException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.wisent.cluster.embedded.EmbeddedCluster;
import dev.wisent.cluster.embedded.EmbeddedNode;
import dev.wisent.cluster.embedded.EmbeddedSet;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Users of a set whose primary goes, and of a cluster whose config servers have none. */
class UsersInElectionsTest {
  private static final String READ = "{find: 'c'}";

  @TempDir private Path directory;

  private static Document run(MongoClient client, String database, String command) {
    return client.getDatabase(database).runCommand(Document.parse(command));
  }

  private static MongoClient direct(EmbeddedNode node, String user, String password) {
    return MongoClients.create(
        "mongodb://%s:%s@%s/?directConnection=true&serverSelectionTimeoutMS=20000"
            .formatted(user, password, node.address()));
  }

  private static void createUsers(String uri) {
    try (MongoClient local = MongoClients.create(uri)) {
      run(local, "admin", "{createUser: 'root', pwd: 'secret', roles: ['root']}");
    }
    try (MongoClient root = MongoClients.create(uri.replace("//", "//root:secret@"))) {
      run(
          root,
          "admin",
          "{createUser: 'ann', pwd: 'ann', roles: [{role: 'read', db: 'shop'}],"
              + " writeConcern: {w: 'majority'}}");
      run(root, "shop", "{insert: 'c', documents: [{_id: 1}], writeConcern: {w: 'majority'}}");
    }
  }

  private static boolean isPrimary(EmbeddedNode node) {
    try (MongoClient client =
        MongoClients.create("mongodb://" + node.address() + "/?directConnection=true")) {
      return run(client, "admin", "{hello: 1}").getBoolean("isWritablePrimary");
    }
  }

  private static void await(String what, BooleanSupplier condition) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as(what).isLessThan(deadline);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
    }
  }

  /** Logs in, and may do what its role says. */
  private static boolean works(EmbeddedNode node) {
    try (MongoClient ann = direct(node, "ann", "ann")) {
      assertThatThrownBy(() -> run(ann, "other", "{find: 'c'}"))
          .isInstanceOfSatisfying(
              MongoCommandException.class, e -> assertThat(e.getCode()).isEqualTo(13));
      return run(ann, "shop", READ)
              .get("cursor", Document.class)
              .getList("firstBatch", Document.class)
              .size()
          == 1;
    } catch (MongoSecurityException notYetThere) {
      return false;
    }
  }

  @Test
  void membersThatAreLeftKnowTheUsers() {
    var trail = new AuditTrail(directory);
    try (EmbeddedSet set = EmbeddedSet.start("users", 3, directory, trail::configure)) {
      createUsers(set.uri());
      List<EmbeddedNode> members = set.members();
      EmbeddedNode first =
          members.stream().filter(UsersInElectionsTest::isPrimary).findFirst().orElseThrow();
      List<EmbeddedNode> left = members.stream().filter(node -> node != first).toList();
      left.forEach(node -> await("a secondary knows the user", () -> works(node)));
      first.close();
      // With or without a primary, or while there is an election.
      left.forEach(node -> assertThat(works(node)).isTrue());
      await("another primary", () -> left.stream().anyMatch(UsersInElectionsTest::isPrimary));
      left.forEach(node -> assertThat(works(node)).isTrue());
      EmbeddedNode second =
          left.stream().filter(UsersInElectionsTest::isPrimary).findFirst().orElseThrow();
      try (MongoClient root = direct(second, "root", "secret")) {
        run(root, "admin", "{updateUser: 'ann', pwd: 'changed'}");
      }
      try (MongoClient ann = direct(second, "ann", "changed")) {
        assertThat(run(ann, "shop", "{find: 'c'}")).containsEntry("ok", 1.0);
      }
    }
  }

  @Test
  void aRouterGoesOnWithTheUsersThatItKnows() {
    var trail = new AuditTrail(directory);
    try (EmbeddedCluster cluster = EmbeddedCluster.start(1, directory, trail::configure)) {
      createUsers(cluster.uri());
      assertThat(works(cluster.router())).isTrue();
      try (MongoClient root = direct(cluster.router(), "root", "secret")) {
        assertThat(failedReads(root)).isZero();
        cluster.config().close();
        await("a read of the config servers fails", () -> failedReads(root) > 0);
        assertThat(works(cluster.router())).isTrue();
      }
    }
  }

  private static long failedReads(MongoClient root) {
    return run(root, "admin", "{serverStatus: 1}")
        .get("security", Document.class)
        .get("users", Document.class)
        .getLong("failedReads");
  }
}
