package dev.wisent.server.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoExecutionTimeoutException;
import com.mongodb.MongoWriteException;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.CreateCollectionOptions;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.Indexes;
import dev.wisent.base.log.ServerLog;
import dev.wisent.server.ServerOptions;
import dev.wisent.server.transport.ListenException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What a member has for itself, alone and in a set of one, over restarts. */
@Execution(ExecutionMode.CONCURRENT)
class UnreplicatedStoreTest {
  @TempDir Path directory;
  private WisentServer server;
  private MongoClient client;

  private void start(String replicaSet) throws ListenException {
    stop();
    server =
        WisentServer.start(
            ServerOptions.builder(directory).port(0).replicaSet(replicaSet).build(),
            ServerLog.silent());
    client =
        MongoClients.create("mongodb://127.0.0.1:" + server.port() + "/?directConnection=true");
  }

  @AfterEach
  void stop() {
    if (server != null) {
      client.close();
      server.close();
    }
  }

  private MongoDatabase local() {
    return client.getDatabase("local");
  }

  private MongoCollection<Document> notes() {
    return local().getCollection("notes");
  }

  private Document admin(Document command) {
    return client.getDatabase("admin").runCommand(command);
  }

  private void initiate() {
    admin(new Document("replSetInitiate", new Document()));
  }

  private void assertCode(int code, Runnable call) {
    assertThatThrownBy(call::run)
        .isInstanceOfSatisfying(
            MongoCommandException.class, e -> assertThat(e.getErrorCode()).isEqualTo(code));
  }

  @Test
  void itIsWrittenBeforeThereIsASetAndInNoOplogLater() throws ListenException {
    start("rs");
    notes().insertOne(new Document("_id", 1).append("n", 1));
    initiate();
    notes().withWriteConcern(WriteConcern.MAJORITY).insertOne(new Document("_id", 2));
    notes()
        .withWriteConcern(new WriteConcern(5))
        .updateOne(Filters.eq(2), Document.parse("{$set: {n: 2}}"));
    notes().createIndex(Indexes.ascending("n"), new IndexOptions().unique(true));
    assertThatThrownBy(() -> notes().insertOne(new Document("n", 1)))
        .isInstanceOf(MongoWriteException.class);
    assertThat(local().getCollection("oplog.rs").countDocuments(Filters.regex("ns", "notes")))
        .isZero();
    nothingIsRenamedFromOneStoreIntoTheOther();
    aProfileIsTheMembersOwn();
    fsyncKeepsWritesOutOfBothStores();

    start("rs");
    assertThat(notes().find(Filters.eq("n", 2)).first()).containsEntry("_id", 2);
    assertThat(names("local")).contains("notes", "oplog.rs");
    assertThat(local().runCommand(new Document("dbHash", 1)).get("collections", Document.class))
        .isEmpty();
    assertThat(local().runCommand(new Document("validate", "notes"))).containsEntry("valid", true);
    assertThat(local().runCommand(new Document("collStats", "notes"))).containsEntry("count", 2L);
    notes().drop();
    assertThat(names("local")).doesNotContain("notes");
  }

  private List<String> names(String database) {
    return client.getDatabase(database).listCollectionNames().into(new ArrayList<>());
  }

  private void nothingIsRenamedFromOneStoreIntoTheOther() {
    MongoCollection<Document> moved = local().getCollection("moved");
    moved.insertOne(new Document());
    client.getDatabase("test").getCollection("c").insertOne(new Document());
    assertCode(
        20, () -> admin(new Document("renameCollection", "local.moved").append("to", "test.n")));
    assertCode(20, () -> admin(new Document("renameCollection", "test.c").append("to", "local.c")));
    admin(new Document("renameCollection", "local.moved").append("to", "local.others"));
    assertThat(local().getCollection("others").countDocuments()).isOne();
  }

  private void aProfileIsTheMembersOwn() {
    MongoDatabase test = client.getDatabase("test");
    test.runCommand(new Document("profile", 2));
    test.getCollection("c").insertOne(new Document());
    test.runCommand(new Document("profile", 0));
    assertThat(names("test")).containsExactly("c", "system.profile");
    assertThat(test.getCollection("system.profile").countDocuments(Filters.eq("op", "insert")))
        .isOne();
    assertThat(local().getCollection("oplog.rs").countDocuments(Filters.regex("ns", "profile")))
        .isZero();
    test.drop();
    assertThat(names("test")).isEmpty();
  }

  private void fsyncKeepsWritesOutOfBothStores() {
    admin(new Document("fsync", 1).append("lock", true));
    Document insert =
        new Document("insert", "locked")
            .append("documents", List.of(new Document()))
            .append("maxTimeMS", 50);
    assertThatThrownBy(() -> local().runCommand(insert))
        .isInstanceOf(MongoExecutionTimeoutException.class);
    admin(new Document("fsyncUnlock", 1));
    insert.remove("maxTimeMS");
    assertThat(local().runCommand(insert)).containsEntry("n", 1);
  }

  @Test
  void aStandaloneTakesItAlongIntoASetAndBackAsLongAsItWasInNone() throws ListenException {
    start(null);
    notes().insertOne(new Document("_id", 1).append("n", 1));
    notes().createIndex(Indexes.ascending("n"), new IndexOptions().name("byN").unique(true));
    local().createCollection("ring", new CreateCollectionOptions().capped(true).sizeInBytes(4096));
    local()
        .getCollection("ring")
        .insertMany(IntStream.range(0, 3000).mapToObj(i -> new Document("i", i)).toList());
    client.getDatabase("test").runCommand(new Document("profile", 2));
    client.getDatabase("test").getCollection("c").insertOne(new Document("_id", 1));
    List<Document> ring = local().getCollection("ring").find().into(new ArrayList<>());

    start("rs");
    checkMoved(ring);
    assertThat(Files.exists(directory.resolve("local"))).isTrue();
    notes().insertOne(new Document("_id", 2).append("n", 2));

    start(null);
    checkMoved(ring);
    assertThat(notes().countDocuments()).isEqualTo(2);
    assertThat(Files.exists(directory.resolve("local"))).isFalse();
    assertThat(names("test")).containsExactly("c", "system.profile");
    assertThat(client.getDatabase("test").getCollection("c").countDocuments()).isOne();
  }

  private void checkMoved(List<Document> ring) {
    assertThat(notes().find(Filters.eq(1)).first()).containsEntry("n", 1);
    assertThat(notes().listIndexes().map(index -> index.getString("name")))
        .containsExactly("_id_", "byN");
    assertThatThrownBy(() -> notes().insertOne(new Document("n", 1)))
        .isInstanceOf(MongoWriteException.class);
    assertThat(local().getCollection("ring").find().into(new ArrayList<>())).isEqualTo(ring);
    assertThat(local().runCommand(new Document("collStats", "ring"))).containsEntry("capped", true);
  }
}
