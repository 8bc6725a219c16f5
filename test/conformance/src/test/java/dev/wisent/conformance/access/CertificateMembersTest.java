package dev.wisent.conformance.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoCredential;
import com.mongodb.MongoSecurityException;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import dev.wisent.conformance.access.AccessFiles.Shown;
import dev.wisent.testkit.Eventually;
import dev.wisent.testkit.ProcessOptions;
import dev.wisent.testkit.ServerProcess;
import dev.wisent.testkit.replica.ReplicaSetProcesses;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Date;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.bson.Document;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Members that know each other by their certificates. */
@Execution(ExecutionMode.CONCURRENT)
class CertificateMembersTest {
  private static final int AUTHENTICATION_FAILED = 18;
  private static final Duration PATIENCE = Duration.ofSeconds(120);

  @TempDir private Path directory;

  private static Document status(ClosedDeployment at, Shown shown) {
    try (MongoClient client = at.client(MongoCredential.createMongoX509Credential(), shown)) {
      return client.getDatabase("admin").runCommand(new Document("connectionStatus", 1));
    }
  }

  /** As a member comes in only what has the subject of this cluster's members. */
  private static void checkSubjects(ClosedDeployment at) {
    assertThat(status(at, Shown.MEMBER).toJson())
        .contains("\"user\": \"__system\"", "\"db\": \"local\"");
    assertThat(status(at, Shown.APP).toJson())
        .contains(Shown.APP.subject())
        .doesNotContain("__system");
    assertThatThrownBy(() -> status(at, Shown.OTHER_MEMBER))
        .isInstanceOf(MongoSecurityException.class)
        .hasCauseInstanceOf(MongoCommandException.class)
        .satisfies(
            e ->
                assertThat(((MongoCommandException) e.getCause()).getErrorCode())
                    .isEqualTo(AUTHENTICATION_FAILED));
  }

  @Test
  void aCluster() {
    try (ClosedDeployment cluster =
            ClosedDeployment.clusterByCertificates(directory.resolve("cluster"));
        MongoClient root = cluster.root()) {
      checkSubjects(cluster);
      root.getDatabase("admin")
          .runCommand(Document.parse("{shardCollection: 'test.c', key: {_id: 'hashed'}}"));
      MongoCollection<Document> c = root.getDatabase("test").getCollection("c");
      c.insertMany(List.of(new Document("_id", 1), new Document("_id", 2)));
      assertThat(c.countDocuments()).isEqualTo(2);
    }
  }

  /** A server of another cluster whose administrator tries to bring it into this set. */
  private static void checkForeignServer(ClosedDeployment set, MongoClient root, Path place) {
    try (ServerProcess foreign =
        ServerProcess.start(
            ClosedDeployment.encrypted(
                    set.files(),
                    Shown.OTHER_MEMBER,
                    "--replSet",
                    ReplicaSetProcesses.NAME,
                    "--clusterAuthMode",
                    "x509")
                .apply(ProcessOptions.in(place)))) {
      Document config =
          root.getDatabase("admin")
              .runCommand(new Document("replSetGetConfig", 1))
              .get("config", Document.class);
      config.put("version", config.getInteger("version") + 1);
      config
          .getList("members", Document.class)
          .add(
              new Document("_id", 3)
                  .append("host", "127.0.0.1:" + foreign.options().port())
                  .append("votes", 0)
                  .append("priority", 0));
      root.getDatabase("admin").runCommand(new Document("replSetReconfig", config));
      // It has no vote, so the change itself needs no answer of it. The set cannot reach it.
      Document seen =
          Eventually.yields(
              "a failed call of the member",
              PATIENCE,
              () ->
                  root
                      .getDatabase("admin")
                      .runCommand(new Document("replSetGetStatus", 1))
                      .getList("members", Document.class)
                      .stream()
                      .filter(each -> each.getInteger("_id") == 3)
                      .filter(each -> !each.get("lastHeartbeatMessage", "").isEmpty())
                      .findFirst());
      assertThat(seen.getString("lastHeartbeatMessage"))
          .contains("the login as a member was refused");
      assertThat(seen.getDouble("health")).isZero();
      assertThat(seen.getDate("lastHeartbeatRecv")).isEqualTo(new Date(0));
      assertThat(foreign.logTail()).contains("Failed to authenticate");
    }
  }

  @Test
  @Tag("faults")
  void aSet() {
    try (ClosedDeployment set = ClosedDeployment.setByCertificates(directory.resolve("set"));
        MongoClient root = set.root()) {
      checkSubjects(set);
      root.getDatabase("test")
          .getCollection("c")
          .withWriteConcern(new WriteConcern(3).withWTimeout(60, TimeUnit.SECONDS))
          .insertOne(new Document("_id", 1));
      checkForeignServer(set, root, directory.resolve("foreign"));
    }
  }
}
