package dev.wisent.conformance.access;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoCommandException;
import com.mongodb.MongoCredential;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import dev.wisent.testkit.Eventually;
import dev.wisent.testkit.replica.Member;
import dev.wisent.testkit.replica.ReplicaSetProcesses;
import dev.wisent.testkit.replica.SetOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.bson.Document;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server with another key, which an administrator adds to a set. */
@Tag("faults")
class WrongKeyMemberTest {
  private static final String TREASURE = "buriedtreasure";

  @TempDir private Path directory;

  private Path keyFile(String key) throws IOException {
    Path file = Files.writeString(directory.resolve(key), key);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    return file;
  }

  private static MongoClient root(String uri) {
    return MongoClients.create(
        MongoClientSettings.builder()
            .applyConnectionString(new ConnectionString(uri))
            .credential(MongoCredential.createCredential("root", "admin", "pw".toCharArray()))
            .build());
  }

  @Test
  void getsNeitherDataNorConfiguration() throws Exception {
    SetOptions options =
        SetOptions.of(3).withArguments("--keyFile", keyFile("secretoftheset").toString());
    try (ReplicaSetProcesses set = ReplicaSetProcesses.start(directory.resolve("set"), options)) {
      set.awaitPrimary().admin(Document.parse("{createUser: 'root', pwd: 'pw', roles: ['root']}"));
      Path wrongKey = keyFile("guessoftheset");
      Member wrong = set.newMember();
      wrong.move(wrong.options().port(), "--keyFile", wrongKey.toString());
      wrong.start();
      try (MongoClient root = root(set.uri())) {
        root.getDatabase("test").getCollection("c").insertOne(new Document("_id", TREASURE));
        assertThat(addTo(root.getDatabase("admin"), wrong)).isNotEqualTo("ok");
        Eventually.holds(
            "the refusal in its log or the set's",
            ReplicaSetProcesses.PATIENCE,
            () ->
                Stream.concat(set.members().stream(), Stream.of(wrong))
                    .anyMatch(each -> each.logTail().contains("\"id\":5286307")));
        root.getDatabase("test").getCollection("c").insertOne(new Document("_id", 2));
        assertThat(root.getDatabase("test").getCollection("c").countDocuments()).isEqualTo(2);
      }
      assertThat(wrong.hello()).doesNotContainKeys("setName", "hosts");
      wrong.kill();
      assertThat(filesWith(wrong.options().dbpath(), TREASURE)).isEmpty();
      assertThat(filesWith(set.member(0).options().dbpath(), TREASURE)).isNotEmpty();
    }
  }

  /** Asks the primary for one more member; returns its error, or "ok". */
  private static String addTo(MongoDatabase admin, Member added) {
    Document config =
        admin.runCommand(new Document("replSetGetConfig", 1)).get("config", Document.class);
    List<Document> members = new ArrayList<>(config.getList("members", Document.class));
    members.add(new Document("_id", added.id()).append("host", added.address()));
    config.append("members", members).append("version", config.getInteger("version") + 1);
    try {
      admin.runCommand(new Document("replSetReconfig", config).append("maxTimeMS", 30_000));
      return "ok";
    } catch (MongoCommandException refused) {
      return refused.getErrorMessage();
    }
  }

  private static List<Path> filesWith(Path data, String text) throws IOException {
    List<Path> found = new ArrayList<>();
    try (Stream<Path> files = Files.walk(data)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        if (new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).contains(text)) {
          found.add(file);
        }
      }
    }
    return found;
  }
}
