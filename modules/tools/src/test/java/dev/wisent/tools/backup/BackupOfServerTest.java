package dev.wisent.tools.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import dev.wisent.Wisent;
import dev.wisent.server.ServerOptions;
import dev.wisent.tools.SampleData;
import dev.wisent.tools.ToolHarness;
import dev.wisent.tools.command.ToolException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Backups of one server, their restores, and what is damaged or cut off. */
class BackupOfServerTest {
  @TempDir Path directory;
  private Wisent server;
  private MongoClient client;
  private Backups backups;

  @BeforeEach
  void start() {
    server = Wisent.start(ServerOptions.builder(directory.resolve("data")).port(0).build());
    client = MongoClients.create(server.uri());
    backups = new Backups(directory.resolve("backups"));
  }

  @AfterEach
  void stop() {
    client.close();
    server.close();
  }

  private Path restored(String name) {
    return directory.resolve(name);
  }

  private void restore(String name, String... flags) throws ToolException {
    List<String> all = new ArrayList<>(List.of("restore", "DIR", "--dbpath=" + restored(name)));
    all.addAll(List.of(flags));
    backups.run(all.toArray(String[]::new));
  }

  private MongoCollection<Document> numbers() {
    return client.getDatabase("test").getCollection("numbers");
  }

  /** Documents that do not compress, in files that compactions leave alone. */
  private void fill(int from, int count) {
    var random = new Random(from);
    List<Document> documents = new ArrayList<>();
    for (int i = from; i < from + count; i++) {
      byte[] noise = new byte[1_000];
      random.nextBytes(noise);
      documents.add(new Document("_id", i).append("noise", noise));
    }
    numbers().insertMany(documents);
    client.getDatabase("admin").runCommand(new Document("fsync", 1));
  }

  @Test
  void aRestoredServerHasEverything() throws ToolException, IOException {
    SampleData.fill(client, "shop");
    Document hash = SampleData.hash(client, "shop");
    List<String> definitions = SampleData.definitions(client, "shop");
    String said = backups.make(server.uri());
    assertThat(said).containsPattern("backup \\d{8}-\\d{6} is complete: \\d+ file\\(s\\); ");
    client.getDatabase("shop").drop();
    restore("copy");
    assertThat(Backups.names(restored("copy")))
        .contains("wisent.format", "data/CURRENT")
        .allMatch(name -> name.equals("wisent.format") || name.startsWith("data/"));
    Backups.inspect(
        restored("copy"),
        copy -> {
          assertThat(SampleData.hash(copy, "shop")).isEqualTo(hash);
          assertThat(SampleData.definitions(copy, "shop")).isEqualTo(definitions);
          Backups.validate(copy, "shop");
        });
    assertThat(Backups.names(directory.resolve("data/_backup"))).isEmpty();
  }

  @Test
  void aSecondBackupFetchesTheDifference() throws ToolException, IOException {
    fill(0, 4_000);
    backups.make(server.uri());
    assertThat(backups.newest().fetchedBytes()).isGreaterThan(4_000_000);
    fill(4_000, 100);
    backups.make(server.uri());
    BackupManifest second = backups.newest();
    assertThat(second.bytes()).isGreaterThan(4_000_000);
    assertThat(second.fetchedBytes()).isBetween(100_000L, 1_000_000L);
    assertThat(second.parent()).isEqualTo(backups.all().getFirst().id());
    fill(4_100, 100);
    restore("second");
    restore("first", "--backup", second.parent());
    Backups.inspect(restored("second"), copy -> assertThat(count(copy)).isEqualTo(4_100));
    Backups.inspect(restored("first"), copy -> assertThat(count(copy)).isEqualTo(4_000));
    assertThat(backups.run("verify", "DIR")).contains("2 backup(s) with ");
    String list = backups.run(new ToolHarness(), "list", "DIR").output();
    assertThat(list.lines().toList()).hasSize(3);
    assertThat(list).contains(second.id(), second.parent(), " server");
    backups.run("prune", "DIR", "--keep=1");
    assertThat(backups.all()).hasSize(1);
    restore("again");
    Backups.inspect(restored("again"), copy -> assertThat(count(copy)).isEqualTo(4_100));
    assertThat(backups.run("verify", "DIR")).contains("1 backup(s) with ");
  }

  private static long count(MongoClient copy) {
    Backups.validate(copy, "test");
    return copy.getDatabase("test").getCollection("numbers").countDocuments();
  }

  @Test
  void damagedFilesAreNamed() throws ToolException, IOException {
    fill(0, 1_000);
    backups.make(server.uri());
    Path file = backups.stored(each -> each.name().endsWith(".sst") && each.bytes() > 100_000);
    byte[] bytes = Files.readAllBytes(file);
    bytes[5_000] ^= 1;
    Files.write(file, bytes);
    refusesDamage("its SHA-256 is another one", file);
    Files.write(file, new byte[10]);
    refusesDamage("it has 10 bytes, and had " + bytes.length, file);
    Files.delete(file);
    refusesDamage("is missing", file);
    // A file that was cut off is fetched again, which repairs the older backup too.
    Files.createFile(file);
    backups.make(server.uri());
    assertThat(backups.run("verify", "DIR")).contains("2 backup(s) with ");
    restore("repaired", "--backup", backups.all().getFirst().id());
  }

  private void refusesDamage(String how, Path file) throws IOException {
    assertThatThrownBy(() -> restore("damaged"))
        .isInstanceOf(ToolException.class)
        .hasMessageContaining(file.toString())
        .hasMessageContaining("data/")
        .hasMessageContaining(how);
    assertThat(Backups.names(restored("damaged"))).isEmpty();
    var harness = new ToolHarness();
    assertThatThrownBy(() -> backups.run(harness, "verify", "DIR"))
        .hasMessage("1 file(s) are damaged or missing");
    assertThat(harness.messages()).contains(file.toString()).contains(how);
  }

  @Test
  void aDamagedManifestIsNamed() throws ToolException, IOException {
    backups.make(server.uri());
    Path manifest = backups.directory().resolve("backups").resolve(backups.newest().id() + ".json");
    String text = Files.readString(manifest);
    Files.writeString(manifest, text.replaceFirst("\"size\": 1", "\"size\": 2"));
    assertThatThrownBy(() -> restore("copy"))
        .hasMessage(manifest + " is damaged, or was changed: its check is wrong");
    Files.writeString(manifest, text.substring(0, text.length() / 2));
    assertThatThrownBy(() -> restore("copy")).hasMessageContaining(manifest + " is damaged");
  }

  @Test
  void whatIsInterruptedLeavesNoBackup() throws ToolException, IOException {
    fill(0, 1_000);
    var harness = new ToolHarness();
    harness.onMessage("reading the state of", harness.interruption()::request);
    assertThatThrownBy(() -> backups.run(harness, "--out=DIR", "--uri=" + server.uri()))
        .hasMessage("interrupted");
    assertThat(backups.all()).isEmpty();
    assertThatThrownBy(() -> restore("copy")).hasMessageContaining("has no complete backup");
    assertThatThrownBy(() -> backups.run("verify", "DIR"))
        .hasMessageContaining("has no complete backup");
    assertThat(Backups.names(directory.resolve("data/_backup"))).isEmpty();
    // All files are there and the manifest is not: as after a kill between the two.
    var late = new ToolHarness();
    late.onMessage(
        "all files are there",
        () -> {
          throw new IllegalStateException("killed");
        });
    assertThatThrownBy(() -> backups.run(late, "-v", "--out=DIR", "--uri=" + server.uri()))
        .hasMessage("killed");
    assertThat(backups.all()).isEmpty();
    Files.createFile(backups.directory().resolve("files/9.tmp"));
    Files.createFile(backups.directory().resolve("backups.tmp"));
    backups.make(server.uri());
    assertThat(backups.newest().fetchedBytes()).as("the table files are there").isLessThan(500_000);
    assertThat(backups.directory().resolve("files/9.tmp")).doesNotExist();
    assertThat(backups.run("verify", "DIR")).contains("1 backup(s)");
    assertThat(Backups.names(backups.directory().resolve("files")))
        .hasSameSizeAs(backups.newest().files().map(StoredFile::stored).distinct().toList());
  }

  @Test
  void anInterruptedRestoreIsRepeated() throws ToolException, IOException {
    fill(0, 100);
    backups.make(server.uri());
    var harness = new ToolHarness();
    harness.interruption().request();
    assertThatThrownBy(() -> backups.run(harness, "restore", "DIR", "--dbpath=" + restored("copy")))
        .hasMessage("interrupted");
    assertThat(Backups.names(restored("copy"))).isEmpty();
    Files.createDirectories(restored("copy").resolve("data"));
    Files.createFile(restored("copy").resolve("data/000001.sst"));
    assertThatThrownBy(() -> restore("copy")).hasMessageContaining("is not empty");
    // As a kill leaves it.
    Files.createFile(restored("copy").resolve("wisent.format.incomplete"));
    restore("copy");
    assertThat(Backups.names(restored("copy"))).doesNotContain("data/000001.sst");
    Backups.inspect(restored("copy"), copy -> assertThat(count(copy)).isEqualTo(100));
    assertThatThrownBy(() -> restore("copy")).hasMessageContaining("is not empty");
  }

  @Test
  void unflushedAndUnsyncedWritesAreThere() throws ToolException {
    for (int i = 0; i < 50; i++) {
      numbers()
          .withWriteConcern(com.mongodb.WriteConcern.W1.withJournal(false))
          .insertOne(new Document("_id", i));
    }
    backups.make(server.uri());
    restore("copy");
    Backups.inspect(restored("copy"), copy -> assertThat(count(copy)).isEqualTo(50));
  }

  @Test
  void wrongDirectoriesAreRefused() throws ToolException, IOException {
    Path other = Files.createDirectories(directory.resolve("other"));
    Files.createFile(other.resolve("notes.txt"));
    assertThatThrownBy(() -> new Backups(other).make(server.uri()))
        .hasMessage(other + " is no backup directory, and not empty");
    assertThatThrownBy(() -> new Backups(other).run("list", "DIR"))
        .hasMessageContaining("is no backup directory");
    backups.make(server.uri());
    assertThatThrownBy(() -> backups.run("restore", "DIR", "--dbpath=" + other))
        .hasMessage(other + " is not empty: a backup is restored into a directory of its own");
    assertThatThrownBy(() -> restore("copy", "--backup=20000101-000000"))
        .hasMessageContaining("there is no backup '20000101-000000'");
    assertThatThrownBy(() -> restore("copy", "--shard=none")).hasMessageContaining("[server]");
    try (Wisent set = Wisent.replicaSet(1)) {
      assertThatThrownBy(() -> backups.make(set.uri()))
          .hasMessageContaining("has backups of [server]: take another directory for rs0");
    }
  }

  @Test
  void backupsOfAnotherServerAreRefused() throws ToolException, IOException {
    backups.make(server.uri());
    try (Wisent other = Wisent.start()) {
      assertThatThrownBy(() -> backups.make(other.uri()))
          .hasMessageContaining("has backups of another server, which was ")
          .hasMessageContaining(": take another directory for ");
    }
    // The same data at another address goes on.
    restore("copy");
    try (Wisent copy = Wisent.start(ServerOptions.builder(restored("copy")).port(0).build())) {
      backups.make(copy.uri());
    }
    assertThat(backups.all()).hasSize(2);
  }

  @Test
  void whatARunHasLeftIsRemovedBeforeTheNextFetches() throws ToolException, IOException {
    backups.make(server.uri());
    StoredFile left;
    try (BackupDirectory open = BackupDirectory.open(backups.directory())) {
      left = Samples.table(open, 1, "left");
    }
    var harness = new ToolHarness();
    harness.onMessage("reading the state of", harness.interruption()::request);
    assertThatThrownBy(() -> backups.run(harness, "--out=DIR", "--uri=" + server.uri()))
        .hasMessage("interrupted");
    assertThat(Backups.names(backups.directory().resolve("files")))
        .isNotEmpty()
        .noneMatch(name -> name.endsWith(left.stored()));
    assertThat(backups.run("verify", "DIR")).contains("1 backup(s)");
  }

  @Test
  void aDirectoryWithAFormatFileIsNeverCleared() throws ToolException, IOException {
    backups.make(server.uri());
    Path live = Files.createDirectories(restored("live/data"));
    Files.createFile(live.resolve("000001.sst"));
    Files.createFile(restored("live/wisent.format"));
    Files.createFile(restored("live/wisent.format.incomplete"));
    assertThatThrownBy(() -> restore("live")).hasMessageContaining("is not empty");
    assertThat(Backups.names(restored("live"))).contains("data/000001.sst", "wisent.format");
  }

  @Test
  void oneToolAtATime() throws ToolException, IOException {
    backups.make(server.uri());
    try (FileChannel lockFile =
            FileChannel.open(backups.directory().resolve("lock"), StandardOpenOption.WRITE);
        FileLock lock = lockFile.lock()) {
      assertThat(lock.isValid()).isTrue();
      assertThatThrownBy(() -> backups.make(server.uri()))
          .hasMessageContaining("is in use by another 'wisent backup'");
    }
    backups.make(server.uri());
  }

  @Test
  void wrongFlagsAreRefused() {
    for (String line :
        List.of(
            "",
            "list",
            "remove DIR",
            "list DIR more",
            "list DIR --keep=1",
            "list DIR --port=27018",
            "verify DIR --username=a",
            "prune DIR --keep=1 --tls",
            "restore DIR --dbpath=a --config=b",
            "restore DIR",
            "restore DIR --dbpath=a --out=b",
            "prune DIR",
            "prune DIR --keep=0",
            "--out=DIR --keep=1",
            "--out=DIR --gzip")) {
      assertThatThrownBy(() -> backups.run(line.isEmpty() ? new String[0] : line.split(" ")))
          .as(line)
          .isInstanceOfSatisfying(
              ToolException.class, e -> assertThat(e.isOfOptions()).as(e.getMessage()).isTrue());
    }
  }
}
