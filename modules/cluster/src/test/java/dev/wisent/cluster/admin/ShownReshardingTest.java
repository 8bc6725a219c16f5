package dev.wisent.cluster.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoChangeStreamCursor;
import com.mongodb.client.MongoCursor;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.changestream.ChangeStreamDocument;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.Document;
import org.bson.types.Binary;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What clients are told of a resharding: while it is under way, and by change streams. */
class ShownReshardingTest {
  @RegisterExtension static final AdminCluster CLUSTER = new AdminCluster();

  private static String prepare(String database) {
    String namespace = database + ".c";
    CLUSTER.create(database, 0);
    CLUSTER.shardByK(namespace);
    CLUSTER.collection(namespace).insertMany(AdminCluster.documents(20));
    return namespace;
  }

  private static BsonDocument operation(String namespace) {
    return CLUSTER.metadata("reshardingOperations").find(Filters.eq("ns", namespace)).first();
  }

  @Test
  void anOperationUnderWayIsInTheMetadata() {
    String namespace = prepare("shown");
    UUID id = UUID.randomUUID();
    BsonDocument uuid = CLUSTER.metadata("collections").find(Filters.eq(namespace)).first();
    String command =
        "{reshardCollection: '%s', key: {_id: 1}, numInitialChunks: 2, reshardingUUID: {$uuid: '%s'}}"
            .formatted(namespace, id);
    Runnable release = CLUSTER.hold("reshardCollection.clone.after");
    CompletableFuture<BsonDocument> done =
        CompletableFuture.supplyAsync(() -> CLUSTER.admin(command));
    CLUSTER.await(
        "the copy",
        () ->
            operation(namespace) != null
                && operation(namespace).getString("state").getValue().equals("cloning"));
    BsonDocument shown = operation(namespace);
    assertThat(shown.getBinary("_id").asUuid()).isEqualTo(id);
    assertThat(shown.get("ui")).isEqualTo(uuid.get("uuid"));
    assertThat(shown.getDocument("reshardingKey").toJson()).isEqualTo("{\"_id\": 1}");
    assertThat(shown.getString("tempNs").getValue()).startsWith("shown.system.resharding.");
    assertThat(shown.getString("provenance").getValue()).isEqualTo("reshardCollection");
    assertThat(shown.isDateTime("startTime")).isTrue();
    for (String field : List.of("donorShards", "recipientShards")) {
      assertThat(shown.getArray(field))
          .as(field)
          .extracting(each -> each.asDocument().get("id"))
          .containsExactlyInAnyOrder(new BsonString("shard0"), new BsonString("shard1"));
    }
    assertThat(
            shown
                .getArray("donorShards")
                .getFirst()
                .asDocument()
                .getDocument("mutableState")
                .getString("state")
                .getValue())
        .isEqualTo("donating-initial-data");
    Document running =
        CLUSTER
            .config("{currentOp: true, ns: '%s'}".formatted(namespace))
            .getList("inprog", Document.class)
            .stream()
            .filter(each -> each.containsKey("coordinatorState"))
            .findFirst()
            .orElseThrow();
    assertThat(running).containsEntry("coordinatorState", "cloning");
    assertThat(running.get("originatingCommand", Document.class))
        .containsEntry("reshardCollection", namespace);
    release.run();
    done.join();
    assertThat(operation(namespace)).isNull();
  }

  @Test
  void whatIsAbortedIsNotUnderWay() {
    String namespace = prepare("aborted");
    CLUSTER.config(
        "{configureFailPoint: 'coordinatorPhase', mode: {times: 1},"
            + " data: {point: 'reshardCollection.blockWrites.after', action: 'fail'}}");
    CLUSTER.fail(
        "admin",
        "{reshardCollection: '%s', key: {_id: 1}, numInitialChunks: 2}".formatted(namespace));
    assertThat(operation(namespace)).isNull();
    assertThat(CLUSTER.collection(namespace).countDocuments()).isEqualTo(20);
  }

  @Test
  void changeStreamsTellOfIt() {
    String namespace = prepare("told");
    BsonDocument before = CLUSTER.metadata("collections").find(Filters.eq(namespace)).first();
    UUID id = UUID.randomUUID();
    try (MongoChangeStreamCursor<ChangeStreamDocument<Document>> plain =
            CLUSTER.collection(namespace).watch().cursor();
        MongoCursor<Document> expanded =
            CLUSTER
                .collection(namespace)
                .watch()
                .showExpandedEvents(true)
                .withDocumentClass(Document.class)
                .iterator()) {
      CLUSTER.admin(
          ("{reshardCollection: '%s', key: {_id: 1}, numInitialChunks: 2,"
                  + " reshardingUUID: {$uuid: '%s'}}")
              .formatted(namespace, id));
      CLUSTER.admin(
          "{reshardCollection: '%s', key: {k: 'hashed'}, numInitialChunks: 2}"
              .formatted(namespace));
      CLUSTER.collection(namespace).insertOne(new Document("_id", 100).append("k", 1));

      Document first = expanded.next();
      assertThat(first)
          .containsEntry("operationType", "reshardCollection")
          .containsEntry("ns", new Document("db", "told").append("coll", "c"))
          .containsEntry(
              "collectionUUID", new Binary((byte) 4, before.getBinary("uuid").getData()));
      Document description = first.get("operationDescription", Document.class);
      assertThat(description)
          .containsEntry("shardKey", new Document("_id", 1))
          .containsEntry("oldShardKey", new Document("k", 1))
          .containsEntry("unique", false)
          .containsEntry("numInitialChunks", 2L)
          .containsKey("reshardUUID");
      Document second = expanded.next();
      assertThat(second.get("operationDescription", Document.class))
          .containsEntry("shardKey", new Document("k", "hashed"))
          .containsEntry("oldShardKey", new Document("_id", 1));
      assertThat(expanded.next()).containsEntry("operationType", "insert");
      assertThat(plain.next().getOperationType().getValue()).isEqualTo("insert");
    }
  }
}
