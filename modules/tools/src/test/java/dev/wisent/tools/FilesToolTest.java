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
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import org.bson.Document;
import org.bson.types.Binary;
import org.bson.types.ObjectId;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FilesToolTest {
  private static final int CHUNK = 255 * 1024;

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
    client.getDatabase("media").drop();
  }

  private static ToolHarness files(String... words) throws ToolException {
    return with(new byte[0], words);
  }

  private static ToolHarness with(byte[] input, String... words) throws ToolException {
    List<String> all = new ArrayList<>(List.of("files", "--uri", server.uri(), "-d", "media"));
    all.addAll(Arrays.asList(words));
    return new ToolHarness().input(input).run(all.toArray(String[]::new));
  }

  private static byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) (i * 31);
    }
    return bytes;
  }

  private static MongoCollection<Document> chunks() {
    return client.getDatabase("media").getCollection("fs.chunks");
  }

  @Test
  void whatWasPutIsFetched() throws ToolException, IOException {
    byte[] large = bytes(2 * CHUNK + 5);
    Path file = directory.resolve("large");
    Files.write(file, large);
    files("put", "a.bin", "--local", file.toString(), "--type=image/x");
    with(bytes(3), "put_id", "b.txt", "{k: 1}", "--local=-");
    assertThat(files("list").output()).isEqualTo("a.bin\t522245\nb.txt\t3\n");
    assertThat(files("list", "b").output()).isEqualTo("b.txt\t3\n");
    assertThat(files("search", ".bin").output()).isEqualTo("a.bin\t522245\n");
    assertThat(files("get", "a.bin", "--local=-").bytes()).isEqualTo(large);
    Path copy = directory.resolve("below/copy");
    files("get_id", "{k: 1}", "--local", copy.toString());
    assertThat(Files.readAllBytes(copy)).isEqualTo(bytes(3));
    assertThat(
            client
                .getDatabase("media")
                .getCollection("fs.files")
                .find(new Document("filename", "a.bin"))
                .first()
                .get("metadata"))
        .isEqualTo(new Document("contentType", "image/x"));
    assertThat(files("check").output()).contains("2 file(s), 0 of them not complete");
    files("delete_id", "{k: 1}");
    assertThat(files("list").output()).isEqualTo("a.bin\t522245\n");
  }

  @Test
  void filesAreReplacedAndDeletedByName() throws ToolException {
    with(bytes(1), "put", "a", "--local=-");
    with(bytes(2), "put", "a", "--local=-");
    assertThat(files("get", "a", "-l", "-").bytes()).hasSize(2);
    assertThat(files("list").output()).isEqualTo("a\t1\na\t2\n");
    with(bytes(3), "put", "a", "--local=-", "--replace");
    assertThat(files("list").output()).isEqualTo("a\t3\n");
    files("delete", "a");
    assertThat(files("list").output()).isEmpty();
    assertThatThrownBy(() -> files("get", "a")).hasMessageContaining("no file named 'a'");
    assertThat(chunks().countDocuments()).isZero();
  }

  @Test
  void checkFindsWhatIsMissing() throws ToolException {
    with(bytes(3 * CHUNK), "put", "a", "--local=-");
    with(bytes(CHUNK), "put", "b", "--local=-");
    with(bytes(CHUNK), "put", "c", "--local=-");
    with(bytes(0), "put", "empty", "--local=-");
    chunks().deleteOne(new Document("n", 1));
    ObjectId ofB =
        client
            .getDatabase("media")
            .getCollection("fs.files")
            .find(new Document("filename", "b"))
            .first()
            .getObjectId("_id");
    chunks().deleteMany(new Document("files_id", ofB));
    var tool = new ToolHarness();
    assertThatThrownBy(() -> tool.run("files", "--uri", server.uri(), "-d", "media", "check"))
        .hasMessageContaining("not as they should be");
    assertThat(tool.output())
        .contains("missing: a (", "has 2 of 3 chunk(s), 522240 of 783360 bytes; not there: n = 1\n")
        .contains("missing: b (", "has no chunks, and should have 261120 bytes")
        .contains("4 file(s), 2 of them not complete")
        .doesNotContain("missing: c");
  }

  @Test
  void checkSparesUploadsInProgress() throws ToolException {
    with(bytes(CHUNK), "put", "a", "--local=-");
    var old = new ObjectId(1_700_000_000, 1);
    chunks().insertOne(chunk(old, "given up"));
    chunks().insertOne(chunk(new ObjectId(), "in progress"));
    var tool = new ToolHarness();
    assertThatThrownBy(() -> tool.run("files", "--uri", server.uri(), "-d", "media", "check"))
        .hasMessageContaining("not as they should be");
    assertThat(tool.output())
        .contains("orphaned: 1 chunk(s), 7 bytes, of the file \"given up\", which is not there")
        .contains("1 upload(s) in progress")
        .doesNotContain("\"in progress\"");
    chunks().deleteOne(new Document("_id", old));
    assertThat(files("check").output())
        .contains("0 of them not complete", "1 upload(s) in progress");
  }

  private static Document chunk(ObjectId id, String file) {
    return new Document("_id", id)
        .append("files_id", file)
        .append("n", 0)
        .append("data", new Binary(bytes(7)));
  }

  @Test
  void theFirstMissingChunksAreNamed() throws ToolException {
    Document file = new Document("_id", "a").append("filename", "a").append("length", 30L);
    client
        .getDatabase("media")
        .getCollection("fs.files")
        .insertOne(file.append("chunkSize", 1).append("uploadDate", new Date()));
    for (int n : new int[] {29, 3, 0, 3}) {
      chunks()
          .insertOne(
              new Document("files_id", "a").append("n", n).append("data", new Binary(bytes(1))));
    }
    var tool = new ToolHarness();
    assertThatThrownBy(() -> tool.run("files", "--uri", server.uri(), "-d", "media", "check"))
        .hasMessageContaining("not as they should be");
    assertThat(tool.output()).contains("; not there: n = 1, 2, 4, 5, 6, 7, 8, 9, 10, 11, ...\n");
    chunks().deleteMany(new Document("n", new Document("$gt", 3)));
    for (int n = 4; n < 28; n++) {
      chunks()
          .insertOne(
              new Document("files_id", "a").append("n", n).append("data", new Binary(bytes(1))));
    }
    var again = new ToolHarness();
    assertThatThrownBy(() -> again.run("files", "--uri", server.uri(), "-d", "media", "check"));
    assertThat(again.output()).contains("; not there: n = 1, 2, 28, 29\n");
  }

  @Test
  void namesOfTheServerStayBelowTheDirectory() throws ToolException {
    with(bytes(1), "put", "../escaped", "--local=-");
    assertThatThrownBy(() -> files("get_regex", "esc.*"))
        .hasMessageContaining("is not below this directory");
    assertThat(files("get_regex", "ESC", "--regexOptions=i", "--local=-").bytes()).hasSize(1);
  }

  @Test
  void wrongCommandsAreRefused() {
    for (String[] words :
        new String[][] {
          {},
          {"nonsense"},
          {"get"},
          {"put_id", "a"},
          {"list", "a", "b"},
          {"get_id", "{"},
          {"--collection=c"}
        }) {
      assertThatThrownBy(() -> files(words))
          .as("%s", List.of(words))
          .isInstanceOfSatisfying(ToolException.class, e -> assertThat(e.isOfOptions()).isTrue());
    }
  }

  @Test
  void aFetchThatFailsLeavesTheFileOfBefore() throws ToolException, IOException {
    Path local = Files.write(directory.resolve("local"), bytes(7));
    with(bytes(2 * CHUNK), "put", "a.bin", "--local=-");
    chunks().deleteOne(new Document("n", 1));
    assertThatThrownBy(() -> files("get", "a.bin", "--local", local.toString()))
        .hasMessageContaining("see wisent files check");
    assertThat(local).hasBinaryContent(bytes(7));
    assertThat(directory.toFile().list()).containsExactly("local");
  }

  @Test
  void aTransferEndsAtTheUsersWish() throws ToolException, IOException {
    with(bytes(2 * CHUNK), "put", "a.bin", "--local=-");
    var harness = new ToolHarness().input(bytes(2 * CHUNK));
    harness.interruption().request();
    String uri = server.uri();
    assertThatThrownBy(
            () -> harness.run("files", "--uri", uri, "-d", "media", "put", "b.bin", "--local=-"))
        .hasMessageContaining("interrupted");
    assertThat(files("list").output()).isEqualTo("a.bin\t522240\n");
    assertThat(chunks().countDocuments()).isEqualTo(2);
    String local = directory.resolve("copy").toString();
    assertThatThrownBy(
            () -> harness.run("files", "--uri", uri, "-d", "media", "get", "a.bin", "-l", local))
        .hasMessageContaining("interrupted");
    assertThat(directory.toFile().list()).isEmpty();
  }

  @Test
  void flagsOfOtherCommandsAreRefused() {
    for (String line :
        List.of(
            "list --local=a",
            "get a --type=text/plain",
            "get a --replace",
            "put a --regexOptions=i",
            "delete a --grace=1")) {
      assertThatThrownBy(() -> files(line.split(" ")))
          .as(line)
          .hasMessageContaining(" is not for ");
    }
  }
}
