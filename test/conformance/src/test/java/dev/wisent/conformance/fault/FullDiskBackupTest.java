package dev.wisent.conformance.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoException;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import dev.wisent.testkit.Eventually;
import dev.wisent.testkit.ProcessOptions;
import dev.wisent.testkit.ServerProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.bson.Document;
import org.bson.types.Binary;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** A disk that is full because of an open backup has room again without help. */
@Tag("faults")
class FullDiskBackupTest {
  private static final int OUT_OF_DISK_SPACE = 14031;
  private static final int DISK_MEGABYTES = 512;
  private static final int LEFT_MEGABYTES = 24;

  /** More than a store needs to be opened again. */
  private static final int HELD_MEGABYTES = 200;

  private static final int DOCUMENT_BYTES = 1 << 20;
  private static final Duration PATIENCE = Duration.ofSeconds(120);

  private final SplittableRandom random = new SplittableRandom(1);

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path directory;

  @Test
  void theBackupIsGivenUp() throws Exception {
    ProcessOptions options = ProcessOptions.in(directory);
    try (SmallDisk disk = SmallDisk.mount(options.dbpath(), DISK_MEGABYTES);
        ServerProcess server = ServerProcess.start(options);
        MongoClient client = MongoClients.create(server.uri())) {
      MongoDatabase admin = client.getDatabase("admin");
      insert(collection(client, "held"), HELD_MEGABYTES);
      admin.runCommand(new Document("fsync", 1));
      Object backup = admin.runCommand(new Document("backupBegin", 1)).get("backup");
      collection(client, "held").drop();
      Eventually.holds(
          "only the backup has the files",
          PATIENCE,
          () -> megabytes(options.dbpath().resolve("data"), ".sst") < HELD_MEGABYTES / 4);
      disk.leave(LEFT_MEGABYTES);
      MongoCollection<Document> written = collection(client, "written");
      assertThatThrownBy(() -> insert(written, DISK_MEGABYTES))
          .isInstanceOfSatisfying(
              MongoException.class, e -> assertThat(e.getCode()).isEqualTo(OUT_OF_DISK_SPACE));
      Eventually.holds("writes are accepted again", PATIENCE, () -> accepts(written));
      assertThat(megabytes(options.dbpath().resolve("_backup"), "")).isZero();
      Document read = new Document("backupRead", backup).append("file", "wisent.format");
      assertThatThrownBy(() -> admin.runCommand(read))
          .isInstanceOfSatisfying(
              MongoCommandException.class,
              e -> assertThat(e.getErrorCode()).isEqualTo(OUT_OF_DISK_SPACE))
          .hasMessageContaining("was given up");
      assertThat(Files.readString(options.logFile())).contains("open backups are given up");
      assertThat(admin.runCommand(new Document("backupBegin", 1))).containsKey("backup");
    }
  }

  private static MongoCollection<Document> collection(MongoClient client, String name) {
    return client
        .getDatabase("test")
        .getCollection(name)
        .withWriteConcern(WriteConcern.W1.withJournal(true));
  }

  private void insert(MongoCollection<Document> collection, int megabytes) {
    for (int i = 0; i < megabytes; i++) {
      byte[] bytes = new byte[DOCUMENT_BYTES];
      random.nextBytes(bytes);
      collection.insertOne(new Document("bytes", new Binary(bytes)));
    }
  }

  private static boolean accepts(MongoCollection<Document> collection) {
    try {
      collection.insertOne(new Document());
      return true;
    } catch (MongoException e) {
      return false;
    }
  }

  private static long megabytes(Path below, String ending) throws Exception {
    if (!Files.exists(below)) {
      return 0;
    }
    try (Stream<Path> files = Files.walk(below)) {
      long bytes = 0;
      for (Path file : files.filter(each -> each.toString().endsWith(ending)).toList()) {
        bytes += Files.isRegularFile(file) ? file.toFile().length() : 0;
      }
      return bytes >> 20;
    }
  }
}
