package dev.wisent.conformance.fault;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoException;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import dev.wisent.testkit.Eventually;
import dev.wisent.testkit.ProcessOptions;
import dev.wisent.testkit.ServerProcess;
import dev.wisent.testkit.replica.Member;
import dev.wisent.testkit.replica.ReplicaSetProcesses;
import dev.wisent.testkit.replica.SetOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.bson.Document;
import org.bson.types.Binary;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * On a full disk a server says what is wrong, and goes on by itself when there is space. Nothing
 * that was acknowledged is lost.
 */
@Tag("faults")
class FullDiskTest {
  private static final int OUT_OF_DISK_SPACE = 14031;
  private static final int RECOVERING = 3;

  /** A start rewrites the log, which can be 64 MiB, and needs as much space besides. */
  private static final int DISK_MEGABYTES = 320;

  private static final int LEFT_MEGABYTES = 24;
  private static final Duration PATIENCE = Duration.ofSeconds(120);

  private final SplittableRandom random = new SplittableRandom(1);

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path directory;

  @Test
  void aStandaloneGoesOnWhenThereIsSpace() throws Exception {
    ProcessOptions options = ProcessOptions.in(directory);
    try (SmallDisk disk = SmallDisk.mount(options.dbpath(), DISK_MEGABYTES)) {
      long written;
      try (ServerProcess server = ServerProcess.start(options);
          MongoClient client = MongoClients.create(server.uri())) {
        MongoCollection<Document> documents = journaled(client);
        disk.leave(LEFT_MEGABYTES);
        written = insertUntilFull(documents, 0);
        assertThat(documents.countDocuments()).isGreaterThanOrEqualTo(written);
        Eventually.holds(
            "serverStatus says so",
            PATIENCE,
            () -> storageEngine(client).getString("failure") != null);
        Eventually.holds(
            "the log says so",
            PATIENCE,
            () -> Files.readString(options.logFile()).contains("writes fail until"));
        disk.free();
        written = awaitInsert(documents, written);
        assertThat(storageEngine(client)).doesNotContainKey("failure");
        assertThat(documents.countDocuments()).isGreaterThanOrEqualTo(written);
        assertThat(validate(client)).isTrue();

        disk.leave(LEFT_MEGABYTES);
        written = insertUntilFull(documents, written);
        disk.fill();
        assertThat(server.terminate()).isZero();
      }
      startWhileFull(options, disk, written);
    }
  }

  private void startWhileFull(ProcessOptions options, SmallDisk disk, long written)
      throws Exception {
    Files.delete(options.logFile());
    try (ServerProcess stopped = ServerProcess.launch(options)) {
      awaitWaiting(options);
      assertThat(stopped.terminate()).as("it can be stopped while it waits").isZero();
    }
    Files.delete(options.logFile());
    try (ServerProcess server = ServerProcess.launch(options)) {
      awaitWaiting(options);
      assertThat(server.alive()).isTrue();
      disk.free();
      server.awaitReady();
      try (MongoClient client = MongoClients.create(server.uri())) {
        assertThat(journaled(client).countDocuments()).isGreaterThanOrEqualTo(written);
        awaitInsert(journaled(client), written);
        assertThat(validate(client)).isTrue();
      }
    }
  }

  private static void awaitWaiting(ProcessOptions options) {
    Eventually.holds(
        "the log says what it waits for",
        PATIENCE,
        () -> Files.readString(options.logFile()).contains("Waiting for space"));
  }

  @Test
  void aSecondaryGoesOnWhenThereIsSpace() {
    check(false);
  }

  @Test
  void aPrimaryHandsOverAndGoesOnWhenThereIsSpace() {
    check(true);
  }

  /**
   * The log has room for entries, which was reserved, but the disk has none for a vote. The primary
   * steps down for a member with a higher priority, which then cannot stand for election.
   */
  @Test
  void aPreferredMemberThatCannotVoteLeavesTheSetAPrimary() {
    Path data = directory.resolve("member0").resolve("data");
    try (SmallDisk disk = SmallDisk.mount(data, DISK_MEGABYTES);
        ReplicaSetProcesses set =
            ReplicaSetProcesses.start(
                directory,
                SetOptions.of(3)
                    .withMemberConfig(id -> new Document("priority", id == 0 ? 0.5 : 1)));
        MongoClient client = MongoClients.create(set.uri())) {
      try {
        preferWhileFull(set, disk, client);
      } catch (AssertionError e) {
        set.describeInto(e);
        throw e;
      }
    }
  }

  private void preferWhileFull(ReplicaSetProcesses set, SmallDisk disk, MongoClient client) {
    MongoCollection<Document> documents =
        client.getDatabase("test").getCollection("c").withWriteConcern(WriteConcern.MAJORITY);
    documents.insertOne(new Document());
    Member full = set.member(0);
    Eventually.holds(
        "another member leads", PATIENCE, () -> set.primary().filter(p -> p != full).isPresent());
    disk.fill();
    Member primary = set.awaitPrimary();
    Document config =
        primary.admin("replSetGetConfig").get("config", Document.class).append("version", 2);
    config.getList("members", Document.class).getFirst().append("priority", 5);
    primary.admin(new Document("replSetReconfig", config));
    Eventually.holds(
        "the member says that its disk is full",
        PATIENCE,
        () -> state(full) == RECOVERING && status(full).contains("full"));
    Eventually.holds(
        "the others go on",
        PATIENCE,
        () -> {
          try {
            documents.insertOne(new Document());
            return true;
          } catch (MongoException e) {
            return false;
          }
        });
    disk.free();
    Eventually.holds("it leads", PATIENCE, () -> set.primary().filter(p -> p == full).isPresent());
  }

  /** Member 0 leads at first; the disk of member 0 or of member 1 is the small one. */
  private void check(boolean primary) {
    int small = primary ? 0 : 1;
    Path data = directory.resolve("member" + small).resolve("data");
    try (SmallDisk disk = SmallDisk.mount(data, DISK_MEGABYTES);
        ReplicaSetProcesses set =
            ReplicaSetProcesses.start(
                directory,
                SetOptions.of(3)
                    .withMemberConfig(id -> new Document("priority", id == 0 ? 5 : 1)))) {
      try {
        fillAndFree(set, set.member(small), disk);
      } catch (AssertionError e) {
        set.describeInto(e);
        throw e;
      }
    }
  }

  private void fillAndFree(ReplicaSetProcesses set, Member full, SmallDisk disk) {
    try (MongoClient client = MongoClients.create(set.uri())) {
      MongoCollection<Document> documents =
          client.getDatabase("test").getCollection("c").withWriteConcern(WriteConcern.MAJORITY);
      documents.insertOne(document(-1));
      disk.leave(LEFT_MEGABYTES);
      long[] written = {0};
      Eventually.holds(
          "the member says that its disk is full",
          PATIENCE,
          () -> {
            insert(documents, written);
            return state(full) == RECOVERING && status(full).contains("full");
          });
      assertThat(full.hello()).containsEntry("secondary", false);
      long acknowledged = written[0];
      Eventually.holds(
          "the others go on",
          PATIENCE,
          () -> {
            insert(documents, written);
            return written[0] > acknowledged + 10;
          });
      disk.free();
      Eventually.holds("it follows again", PATIENCE, () -> state(full) != RECOVERING);
      Eventually.holds(
          "it has all",
          PATIENCE,
          () -> {
            documents
                .withWriteConcern(
                    new WriteConcern(3).withWTimeout(PATIENCE.toMillis(), TimeUnit.MILLISECONDS))
                .insertOne(document(written[0]++));
            return true;
          });
      assertThat(documents.countDocuments()).isGreaterThanOrEqualTo(written[0]);

      disk.leave(LEFT_MEGABYTES);
      Eventually.holds(
          "the disk is full again",
          PATIENCE,
          () -> {
            insert(documents, written);
            return state(full) == RECOVERING;
          });
      assertThat(full.terminate()).as("it ends while the disk is full").isZero();
    }
  }

  private void insert(MongoCollection<Document> documents, long[] written) {
    try {
      documents.insertOne(document(written[0]));
      written[0]++;
    } catch (MongoException e) {
      // While another one becomes the primary. It may have been written: the next has its number.
      written[0]++;
    }
  }

  private static int state(Member member) {
    try {
      return member.admin("replSetGetStatus").getInteger("myState");
    } catch (MongoException e) {
      return -1;
    }
  }

  private static String status(Member member) {
    return member.admin("replSetGetStatus").toJson();
  }

  private static MongoCollection<Document> journaled(MongoClient client) {
    return client
        .getDatabase("test")
        .getCollection("c")
        .withWriteConcern(WriteConcern.W1.withJournal(true));
  }

  private Document document(long id) {
    byte[] bytes = new byte[100_000];
    random.nextBytes(bytes);
    return new Document("n", id).append("bytes", new Binary(bytes));
  }

  private long insertUntilFull(MongoCollection<Document> documents, long first) {
    for (long written = first; ; written++) {
      try {
        documents.insertOne(document(written));
      } catch (MongoException e) {
        assertThat(e.getCode()).as(e.getMessage()).isEqualTo(OUT_OF_DISK_SPACE);
        return written;
      }
    }
  }

  private long awaitInsert(MongoCollection<Document> documents, long written) {
    Eventually.holds(
        "writes are accepted again",
        PATIENCE,
        () -> {
          try {
            documents.insertOne(document(written));
            return true;
          } catch (MongoException e) {
            return false;
          }
        });
    return written + 1;
  }

  private static Document storageEngine(MongoClient client) {
    return client
        .getDatabase("admin")
        .runCommand(new Document("serverStatus", 1))
        .get("storageEngine", Document.class);
  }

  private static boolean validate(MongoClient client) {
    return client.getDatabase("test").runCommand(new Document("validate", "c")).getBoolean("valid");
  }
}
