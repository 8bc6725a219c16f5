package dev.wisent.tools.migrate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.ConnectionString;
import com.mongodb.MongoBulkWriteException;
import com.mongodb.MongoClientSettings;
import dev.wisent.Wisent;
import dev.wisent.tools.ShiftedClock;
import dev.wisent.tools.command.ToolException;
import dev.wisent.tools.connection.Deployment;
import dev.wisent.tools.format.CollectionMetadata;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.RawBsonDocument;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class CopyWriterTest {
  private static final CollectionInfo COPY =
      new CollectionInfo(null, "shop", "copy", CollectionMetadata.COLLECTION, new BsonDocument());

  private static Wisent server;
  private static Deployment target;

  @BeforeAll
  static void start() throws ToolException {
    server = Wisent.replicaSet(1, options -> options.setParameter("enableTestCommands", "1"));
    target =
        Deployment.connect(
            MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(server.uri()))
                .build());
  }

  @AfterAll
  static void stop() {
    target.close();
    server.close();
  }

  @AfterEach
  void clear() {
    target.database("shop").drop();
  }

  private static CopyWriter writer() {
    return new CopyWriter(target, new Fence(() -> true, new ShiftedClock()), COPY, false);
  }

  private static RawBsonDocument document(String json) {
    return RawBsonDocument.parse(json);
  }

  private static List<RawBsonDocument> stored() {
    return target
        .database("shop")
        .getCollection("copy", RawBsonDocument.class)
        .find()
        .sort(BsonDocument.parse("{_id: 1}"))
        .into(new ArrayList<>());
  }

  @Test
  void fieldsThatLookLikeOperatorsAreReplaced() throws ToolException {
    writer().insert(List.of(document("{_id: 1, a: 1}"), document("{_id: 2, $b: 1}")));
    List<RawBsonDocument> changed =
        List.of(
            document("{_id: 1, $set: {a: 1}}"),
            document("{_id: 2, c: 1}"),
            document("{_id: 3, a: 1, $b: 1}"));
    writer().replace(changed);
    assertThat(stored()).isEqualTo(changed);
    writer().insert(changed);
    assertThat(stored()).isEqualTo(changed);
  }

  @Test
  void emptyTimestampsStayEmpty() throws ToolException {
    String empty = "t: {$timestamp: {t: 0, i: 0}}}";
    List<RawBsonDocument> documents =
        List.of(
            document("{_id: 1, a: 1}"), document("{_id: 2, " + empty), document("{_id: 3, a: 1}"));
    writer().insert(documents);
    assertThat(stored()).isEqualTo(documents);
    writer().insert(documents);
    assertThat(stored()).isEqualTo(documents);
    List<RawBsonDocument> changed =
        List.of(
            document("{_id: 1, " + empty),
            document("{_id: 2, b: 1}"),
            document("{_id: 3, " + empty));
    writer().replace(changed);
    assertThat(stored()).isEqualTo(changed);
  }

  @Test
  void aWriteConcernThatFailsBesideDocumentsIsAFailure() throws ToolException {
    List<RawBsonDocument> documents = List.of(document("{_id: 1}"), document("{_id: 2}"));
    writer().insert(documents.subList(0, 1));
    target.admin(
        BsonDocument.parse(
            "{configureFailPoint: 'failCommand', mode: {times: 1}, data: {failCommands:"
                + " ['insert'], writeConcernError: {code: 64, errmsg: 'timed out'}}}"));
    assertThatThrownBy(() -> writer().insert(documents))
        .isInstanceOfSatisfying(
            MongoBulkWriteException.class,
            e -> assertThat(e.getWriteConcernError().getMessage()).isEqualTo("timed out"));
    assertThat(stored()).isEqualTo(documents);
  }
}
