package dev.wisent.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import dev.wisent.Wisent;
import dev.wisent.tools.command.ToolException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of exports, and the order of imports. */
class ExportFileTest {
  private static Wisent server;
  private static MongoClient client;

  @TempDir Path directory;

  @BeforeAll
  static void start() {
    server = Wisent.start();
    client = MongoClients.create(server.uri());
  }

  @AfterAll
  static void stop() {
    client.close();
    server.close();
  }

  @AfterEach
  void clear() {
    collection().drop();
  }

  private static MongoCollection<Document> collection() {
    return client.getDatabase("test").getCollection("c");
  }

  private static ToolHarness run(String tool, String input, String... flags) throws ToolException {
    List<String> all = new ArrayList<>(List.of(tool, "--uri=" + server.uri()));
    all.addAll(List.of("--db=test", "--collection=c"));
    all.addAll(List.of(flags));
    return new ToolHarness().input(input).run(all.toArray(String[]::new));
  }

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(each -> each.getFileName().toString()).toList();
    }
  }

  @Test
  void anExportThatFailsLeavesTheFileOfBefore() throws ToolException, IOException {
    String out = "--out=" + directory.resolve("c.tsv");
    collection().insertOne(new Document("_id", 1).append("a", "first"));
    run("export", "", "--type=tsv", "--fields=a", out);
    assertThat(directory.resolve("c.tsv")).hasContent("a\nfirst");
    collection().insertOne(new Document("_id", 2).append("a", "with a\ttab"));
    assertThatThrownBy(() -> run("export", "", "--type=tsv", "--fields=a", out))
        .isInstanceOf(ToolException.class);
    assertThat(directory.resolve("c.tsv")).hasContent("a\nfirst");
    assertThat(names()).containsExactly("c.tsv");
    collection().deleteOne(new Document("_id", 2));
    collection().insertOne(new Document("_id", 2).append("a", "second"));
    run("export", "", "--type=tsv", "--fields=a", out);
    assertThat(directory.resolve("c.tsv")).hasContent("a\nfirst\nsecond");
    assertThat(names()).containsExactly("c.tsv");
  }

  @Test
  void aLinkStaysALink() throws ToolException, IOException {
    collection().insertOne(new Document("_id", 1));
    Path file = Files.writeString(directory.resolve("file"), "before");
    Path link = Files.createSymbolicLink(directory.resolve("link"), file);
    run("export", "", "--out=" + link);
    assertThat(link).isSymbolicLink();
    assertThat(file).hasContent("{\"_id\": 1}");
    assertThat(names()).containsExactlyInAnyOrder("file", "link");
  }

  @Test
  void flagsThatWouldMeanNothingAreRefused() {
    for (String flags :
        List.of(
            "--csv --type=csv --fields=a",
            "--type=csv --fields=a --jsonFormat=canonical",
            "--noHeaderLine")) {
      refused("export", flags);
    }
    refused("import", "--upsert --mode=merge");
  }

  private static void refused(String tool, String flags) {
    assertThatThrownBy(() -> run(tool, "", flags.split(" ")))
        .as(flags)
        .isInstanceOfSatisfying(ToolException.class, e -> assertThat(e.isOfOptions()).isTrue());
  }

  @Test
  void anImportInOrderEndsAtItsFirstFailure() {
    String documents = "{_id: 1}\n{_id: 1}\n{_id: 2}\n";
    assertThatThrownBy(() -> run("import", documents, "--maintainInsertionOrder"))
        .isInstanceOf(ToolException.class);
    assertThat(collection().countDocuments()).isEqualTo(1);
    assertThatThrownBy(() -> run("import", documents)).isInstanceOf(ToolException.class);
    assertThat(collection().countDocuments()).isEqualTo(2);
  }

  @Test
  void theLastDocumentOfAKeyWins() throws ToolException {
    var documents = new StringBuilder();
    IntStream.range(0, 5_000).forEach(i -> documents.append("{_id: 'k', n: %d}\n".formatted(i)));
    run("import", documents.toString(), "--mode=upsert", "--numInsertionWorkers=8");
    assertThat(collection().find().first()).containsEntry("n", 4_999);
  }
}
