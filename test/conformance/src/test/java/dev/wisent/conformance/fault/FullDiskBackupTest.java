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
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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
  private static final int DISK_MEGABYTES = 448;
  private static final int LEFT_MEGABYTES = 24;

  /** More than a store needs to be opened again. */
  private static final int HELD_MEGABYTES = 120;

  private static final int DOCUMENT_BYTES = 1 << 15;
  private static final int DOCUMENTS_OF_MEGABYTE = (1 << 20) / DOCUMENT_BYTES;
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
      client.getDatabase("test").runCommand(new Document("compact", "held"));
      Path held = options.dbpath().resolve("_backup");
      Eventually.holds(
          "only the backup has the files",
          PATIENCE,
          () -> ownMegabytes(held) > HELD_MEGABYTES * 3 / 4);
      disk.leave(LEFT_MEGABYTES);
      MongoCollection<Document> written = collection(client, "written");
      assertThatThrownBy(() -> insert(written, DISK_MEGABYTES))
          .isInstanceOfSatisfying(
              MongoException.class, e -> assertThat(e.getCode()).isEqualTo(OUT_OF_DISK_SPACE));
      Eventually.holds("writes are accepted again", PATIENCE, () -> accepts(written));
      assertThat(held).isEmptyDirectory();
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
      List<Document> documents = new ArrayList<>();
      for (int j = 0; j < DOCUMENTS_OF_MEGABYTE; j++) {
        byte[] bytes = new byte[DOCUMENT_BYTES];
        random.nextBytes(bytes);
        documents.add(new Document("bytes", new Binary(bytes)));
      }
      collection.insertMany(documents);
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

  /** The size of files that have no other name. */
  private static long ownMegabytes(Path below) throws IOException {
    try (Stream<Path> files = Files.walk(below)) {
      long bytes = 0;
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        boolean own = ((Integer) Files.getAttribute(file, "unix:nlink")) == 1;
        bytes += own ? Files.size(file) : 0;
      }
      return bytes >> 20;
    }
  }
}
