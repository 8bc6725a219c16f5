package dev.wisent.tools.backup;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.wisent.Wisent;
import dev.wisent.server.ServerOptions;
import dev.wisent.tools.ToolHarness;
import dev.wisent.tools.command.ToolException;
import dev.wisent.tools.connection.Deployment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.bson.Document;

/** The backup directory of a test. */
final class Backups {
  private final Path directory;

  Backups(Path directory) {
    this.directory = directory;
  }

  Path directory() {
    return directory;
  }

  ToolHarness run(ToolHarness harness, String... arguments) throws ToolException {
    List<String> all = new ArrayList<>(List.of("backup"));
    for (String argument : arguments) {
      all.add(argument.replace("DIR", directory.toString()));
    }
    return harness.run(all.toArray(String[]::new));
  }

  String run(String... arguments) throws ToolException {
    return run(new ToolHarness(), arguments).messages();
  }

  String make(String uri, String... flags) throws ToolException {
    List<String> all = new ArrayList<>(List.of("--out=DIR", "--uri=" + uri));
    all.addAll(List.of(flags));
    return run(all.toArray(String[]::new));
  }

  List<BackupManifest> all() throws ToolException, IOException {
    try (BackupDirectory open = BackupDirectory.open(directory)) {
      return open.all();
    }
  }

  BackupManifest newest() throws ToolException, IOException {
    return all().getLast();
  }

  /** Where a file of the newest backup is. */
  Path stored(Predicate predicate) throws ToolException, IOException {
    try (BackupDirectory open = BackupDirectory.open(directory)) {
      StoredFile file =
          open.all().getLast().files().filter(predicate::test).findFirst().orElseThrow();
      return open.file(file.stored());
    }
  }

  /** Chooses a file. */
  interface Predicate {
    boolean test(StoredFile file);
  }

  /** A state of a server that is open, and its own connection. */
  static OpenState state(String uri) throws ToolException {
    MongoClientSettings settings =
        MongoClientSettings.builder().applyConnectionString(new ConnectionString(uri)).build();
    try (Deployment deployment = Deployment.connect(settings)) {
      SourceMember member = SourceMember.choose(deployment, null);
      return OpenState.of(member, "server", member.begin(null));
    }
  }

  static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Names of all files below a directory. */
  static List<String> names(Path root) throws IOException {
    if (!Files.exists(root)) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(root)) {
      return files
          .filter(Files::isRegularFile)
          .map(file -> root.relativize(file).toString())
          .sorted()
          .toList();
    }
  }

  /** Starts a server with a data directory, and looks at it. */
  static void inspect(Path dbPath, Consumer<MongoClient> look) {
    try (Wisent server = Wisent.start(ServerOptions.builder(dbPath).port(0).build());
        MongoClient client = MongoClients.create(server.uri())) {
      look.accept(client);
    }
  }

  /** Every index of every collection agrees with its documents. */
  static void validate(MongoClient client, String database) {
    for (Document collection : client.getDatabase(database).listCollections()) {
      if (collection.getString("type").equals("view")) {
        continue;
      }
      String name = collection.getString("name");
      Document result =
          client
              .getDatabase(database)
              .runCommand(new Document("validate", name).append("full", true));
      assertThat(result.getBoolean("valid")).as(result.toJson()).isTrue();
    }
  }
}
