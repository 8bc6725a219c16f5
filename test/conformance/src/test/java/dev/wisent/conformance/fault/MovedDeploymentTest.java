package dev.wisent.conformance.fault;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import dev.wisent.testkit.Eventually;
import dev.wisent.testkit.ToolProcess;
import dev.wisent.testkit.load.MixedLoad;
import dev.wisent.testkit.replica.ReplicaSetProcesses;
import dev.wisent.testkit.replica.SetOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bson.Document;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code wisent migrate} moves a set to another under load. It is killed while it copies, while it
 * follows, and while it finishes; both sides are equal at the end.
 */
@Tag("faults")
class MovedDeploymentTest {
  private static final int DOCUMENTS = Integer.getInteger("wisent.moved.documents", 200_000);
  private static final Pattern TOOK = Pattern.compile("finishing took (\\d+\\.\\d) s");
  private static final double CUT_OVER_SECONDS = 5;
  private static final Duration PATIENCE = Duration.ofMinutes(20);

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path directory;

  private ReplicaSetProcesses from;
  private ReplicaSetProcesses to;
  private int runs;

  private ToolProcess migrate(String... more) {
    runs++;
    List<String> all = new ArrayList<>(List.of("migrate", from.uri(), "--uri", to.uri(), "-vv"));
    all.addAll(List.of(more));
    return ToolProcess.start(directory.resolve("run" + runs + ".log"), all.toArray(String[]::new));
  }

  @Test
  void nothingIsMissedByAToolThatIsKilled() {
    from = ReplicaSetProcesses.start(directory.resolve("from"), SetOptions.of(1));
    to = ReplicaSetProcesses.start(directory.resolve("to"), SetOptions.of(1));
    try (ReplicaSetProcesses source = from;
        ReplicaSetProcesses target = to;
        MongoClient reader = MongoClients.create(source.uri());
        MongoClient copies = MongoClients.create(target.uri())) {
      MixedLoad.fill(reader, DOCUMENTS);
      try (MixedLoad load = MixedLoad.start(reader, DOCUMENTS)) {
        killWhileItCopies(copies);
        killWhileItFollows(load);
        try (ToolProcess tool = migrate()) {
          tool.awaitMessage("following the source", PATIENCE);
          load.awaitMore(1_000);
          load.close();
          tool.awaitMessage(" 0 s behind", PATIENCE);
          finish();
          tool.awaitMessage("finishing", PATIENCE);
          tool.kill();
        }
      }
      // The wish to finish is stored.
      try (ToolProcess tool = migrate()) {
        assertThat(tool.await(PATIENCE)).as("%s", tool.messages()).isZero();
        System.out.println(
            tool.messages().lines().filter(line -> line.contains("finishing took")).toList());
      }
      assertThat(state(copies)).isEqualTo(state(reader));
      assertThat(copies.listDatabaseNames()).doesNotContain("wisent_migrate");
    }
  }

  @Test
  void programsStopForSeconds() {
    from = ReplicaSetProcesses.start(directory.resolve("from"), SetOptions.of(1));
    to = ReplicaSetProcesses.start(directory.resolve("to"), SetOptions.of(1));
    try (ReplicaSetProcesses source = from;
        ReplicaSetProcesses target = to;
        MongoClient reader = MongoClients.create(source.uri());
        MongoClient copies = MongoClients.create(target.uri())) {
      MixedLoad.fill(reader, DOCUMENTS);
      try (MixedLoad load = MixedLoad.start(reader, DOCUMENTS);
          ToolProcess tool = migrate()) {
        tool.awaitMessage("following the source", PATIENCE);
        load.awaitMore(1_000);
        // The target may be slower than a load without a limit, and both sides are compared then.
        load.close();
        tool.awaitMessage("ready to finish", PATIENCE);
        finish();
        assertThat(tool.await(PATIENCE)).as("%s", tool.messages()).isZero();
        Matcher took = TOOK.matcher(tool.messages());
        assertThat(took.find()).as("%s", tool.messages()).isTrue();
        System.out.println(took.group());
        assertThat(Double.parseDouble(took.group(1))).isLessThanOrEqualTo(CUT_OVER_SECONDS);
      }
      assertThat(state(copies)).isEqualTo(state(reader));
    }
  }

  private void killWhileItCopies(MongoClient copies) {
    try (ToolProcess tool = migrate()) {
      Eventually.holds(
          "a part is copied",
          PATIENCE,
          () ->
              copies.getDatabase("load").getCollection("items").estimatedDocumentCount()
                  > DOCUMENTS / 4);
      tool.kill();
      assertThat(tool.messages()).doesNotContain("following the source");
    }
  }

  private void killWhileItFollows(MixedLoad load) {
    try (ToolProcess tool = migrate()) {
      tool.awaitMessage("following the source", PATIENCE);
      load.awaitMore(1_000);
      tool.awaitMessage("applied a batch", PATIENCE);
      tool.kill();
      assertThat(tool.messages()).contains("going on with the migration");
    }
  }

  private void finish() {
    Path log = directory.resolve("finish.log");
    try (ToolProcess tool = ToolProcess.start(log, "migrate", "--finish", "--uri", to.uri())) {
      assertThat(tool.await(PATIENCE)).as("%s", tool.messages()).isZero();
    }
  }

  /** Hashes of all documents, and what collections and indexes are. */
  private static List<String> state(MongoClient client) {
    List<String> all = new ArrayList<>();
    MongoDatabase database = client.getDatabase("load");
    all.add(database.runCommand(new Document("dbHash", 1)).get("collections").toString());
    for (Document listed : database.listCollections()) {
      String name = listed.getString("name");
      all.add(name + " " + listed.get("options"));
      for (Document index : database.getCollection(name).listIndexes()) {
        all.add(name + " " + index);
      }
    }
    all.sort(null);
    return all;
  }
}
