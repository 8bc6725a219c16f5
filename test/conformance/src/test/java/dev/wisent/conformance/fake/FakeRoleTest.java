package dev.wisent.conformance.fake;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoCommandException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import dev.wisent.base.ErrorCode;
import dev.wisent.server.command.CommandSpec;
import dev.wisent.server.node.WisentServer;
import dev.wisent.server.transport.ListenException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the server does on a role without a store. */
class FakeRoleTest {
  /** They end the server, or the test's connection. */
  private static final Set<String> NOT_TRIED = Set.of("shutdown", "dropConnections");

  private static WisentServer server;
  private static MongoClient client;

  @BeforeAll
  static void start(@TempDir Path directory) throws ListenException {
    server = FakeRole.serve(directory);
    client = MongoClients.create("mongodb://127.0.0.1:" + server.port());
  }

  @AfterAll
  static void stop() {
    client.close();
    server.close();
  }

  @Test
  void documentsAreWrittenAndRead() {
    MongoCollection<BsonDocument> things =
        client.getDatabase("test").getCollection("things", BsonDocument.class);
    for (int i = 0; i < 5; i++) {
      things.insertOne(new BsonDocument("_id", new BsonInt32(i)));
    }
    assertThat(
            things
                .find(BsonDocument.parse("{_id: {$gt: 1}}"))
                .sort(BsonDocument.parse("{_id: -1}"))
                .batchSize(2)
                .map(document -> document.getInt32("_id").getValue()))
        .containsExactly(4, 3, 2);
  }

  @Test
  void commandsOfAStoreDoNotExist() {
    assertThat(server.commands())
        .extracting(CommandSpec::name)
        .contains("find", "create", "explain")
        .doesNotContain("top", "applyOps", "replSetInitiate");
  }

  @Test
  void whatTheRoleDoesNotHaveIsRefused() {
    assertThat(codeOf("test", new BsonDocument("validate", new BsonString("things"))))
        .isEqualTo(ErrorCode.COMMAND_NOT_SUPPORTED.code());
  }

  @Test
  void noCommandFailsInsideTheServer() {
    for (CommandSpec command : server.commands()) {
      if (!NOT_TRIED.contains(command.name())) {
        for (BsonValue argument : List.of(new BsonInt32(1), new BsonString("things"))) {
          for (String database : List.of("admin", "test")) {
            assertThat(codeOf(database, new BsonDocument(command.name(), argument)))
                .as(command.name())
                .isNotEqualTo(ErrorCode.INTERNAL_ERROR.code());
          }
        }
      }
    }
  }

  /** The code of the command's error; 0 if it has none. */
  private static int codeOf(String database, BsonDocument command) {
    try {
      client.getDatabase(database).runCommand(command);
      return 0;
    } catch (MongoCommandException e) {
      return e.getErrorCode();
    }
  }
}
