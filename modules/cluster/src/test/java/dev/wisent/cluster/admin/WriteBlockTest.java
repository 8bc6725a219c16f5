package dev.wisent.cluster.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoException;
import com.mongodb.client.model.Filters;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.bson.BsonDocument;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** How blocks of writes end, when nothing goes as it should. */
class WriteBlockTest {
  @RegisterExtension static final AdminCluster CLUSTER = new AdminCluster();

  private static final int CONFLICTING_OPERATION = 117;
  private static final int MAX_TIME_EXPIRED = 50;
  private static final int INTERRUPTED = 11601;
  private static int databases;

  private static String prepare() {
    String namespace = "block" + databases++ + ".c";
    CLUSTER.create(namespace.substring(0, namespace.indexOf('.')), 0);
    CLUSTER.shardByK(namespace);
    CLUSTER.collection(namespace).insertMany(AdminCluster.documents(20));
    return namespace;
  }

  private static BsonDocument block(String namespace, UUID id, String arguments) {
    return onShard("_shardsvrBlockWrites", namespace, id, arguments);
  }

  private static long unblock(String namespace, UUID id, String arguments) {
    return onShard("_shardsvrUnblockWrites", namespace, id, arguments)
        .getInt64("number")
        .getValue();
  }

  private static BsonDocument onShard(String command, String namespace, UUID id, String arguments) {
    String json =
        "{%s: '%s', id: {$uuid: '%s'}, writeConcern: {w: 'majority'}%s}"
            .formatted(command, namespace, id, arguments);
    return CLUSTER.onShard(0, "admin").runCommand(BsonDocument.parse(json), BsonDocument.class);
  }

  private static void assertEnded(String namespace, UUID id, String arguments) {
    assertRefused(() -> block(namespace, id, arguments));
  }

  private static void assertRefused(ThrowingCallable request) {
    assertThatThrownBy(request)
        .asInstanceOf(type(MongoCommandException.class))
        .returns(CONFLICTING_OPERATION, MongoException::getCode);
  }

  private static void assertWritable(String namespace) {
    CLUSTER.collection(namespace).insertOne(new Document("k", -1));
  }

  /** A request that the end of its block has overtaken would keep writes out for good. */
  @Test
  void aBlockThatComesAfterItsEndIsRefused() {
    String namespace = prepare();
    UUID id = UUID.randomUUID();
    assertThat(unblock(namespace, id, "")).isEqualTo(Long.MAX_VALUE);
    assertEnded(namespace, id, "");
    assertEnded(namespace, id, ", reads: true");
    assertEnded(namespace, id, ", number: 7");
    assertEnded(namespace, id, ", number: {$numberLong: '%d'}".formatted(Long.MAX_VALUE));
    assertWritable(namespace);
    UUID other = UUID.randomUUID();
    block(namespace, other, "");
    unblock(namespace, other, "");
    assertWritable(namespace);
  }

  @Test
  void theNextBlockOfACoordinatorHasAnotherNumber() {
    String namespace = prepare();
    UUID id = UUID.randomUUID();
    assertThat(unblock(namespace, id, ", again: true")).isEqualTo(1);
    assertEnded(namespace, id, "");
    block(namespace, id, ", number: 1");
    assertThat(unblock(namespace, id, ", again: true")).isEqualTo(2);
    assertEnded(namespace, id, ", number: 1");
    assertWritable(namespace);
    unblock(namespace, id, "");
    assertEnded(namespace, id, ", number: 2");
    // Of a coordinator that does not know that the run is over.
    assertRefused(() -> unblock(namespace, id, ", again: true"));
    assertWritable(namespace);
  }

  /** Where there is no coordinator any more, and no next one for long. */
  @Test
  void aBlockEndsAtItsBound() {
    String namespace = prepare();
    UUID id = UUID.randomUUID();
    block(namespace, id, ", boundMillis: 100");
    assertWritable(namespace);
    // The decision needs that all blocks are still there.
    assertEnded(namespace, id, "");
  }

  @Test
  void aBlockThatIsHeldHasNoBound() {
    String namespace = prepare();
    UUID id = UUID.randomUUID();
    block(namespace, id, ", boundMillis: 60000");
    block(namespace, id, "");
    assertThat(
            CLUSTER
                .onShard(0, "config")
                .getCollection("shard.catalog.blocks")
                .find(Filters.eq("_id.ns", namespace))
                .first())
        .doesNotContainKey("boundMillis");
    unblock(namespace, id, "");
    assertWritable(namespace);
  }

  /** Between its blocks and its end a resharding waits for the config servers. */
  @Test
  void writersThatWaitForAReshardingEndByThemselves() {
    String namespace = prepare();
    String database = namespace.substring(0, namespace.indexOf('.'));
    Runnable release = CLUSTER.hold("reshardCollection.commit.before");
    CompletableFuture<BsonDocument> done =
        CompletableFuture.supplyAsync(
            () ->
                CLUSTER.admin(
                    "{reshardCollection: '%s', key: {_id: 1}, numInitialChunks: 2}"
                        .formatted(namespace)));
    CLUSTER.awaitPhase("reshardCollection", "commit");
    for (String write :
        new String[] {
          "{insert: 'c', documents: [{k: -5}], maxTimeMS: 100}",
          "{update: 'c', updates: [{q: {}, u: {$set: {n: 1}}, multi: true}], maxTimeMS: 100}",
          "{findAndModify: 'c', query: {k: -3}, update: {$set: {n: 1}}, maxTimeMS: 100}"
        }) {
      assertThatThrownBy(() -> CLUSTER.run(database, write))
          .as(write)
          .asInstanceOf(type(MongoException.class))
          .returns(MAX_TIME_EXPIRED, MongoException::getCode);
    }
    CompletableFuture<Document> killed =
        CompletableFuture.supplyAsync(
            () ->
                CLUSTER
                    .collection(namespace)
                    .findOneAndDelete(Filters.and(Filters.eq("k", -3), Filters.eq("_id", 7))),
            // The common pool may have one thread, which waits for the other command.
            command -> Thread.ofPlatform().start(command));
    CLUSTER.await("the write to be killed", () -> kill(database) || killed.isDone());
    assertThatThrownBy(killed::join)
        .isInstanceOf(CompletionException.class)
        .cause()
        .asInstanceOf(type(MongoException.class))
        .returns(INTERRUPTED, MongoException::getCode);
    CLUSTER.electConfigAgain();
    release.run();
    done.join();
    assertWritable(namespace);
    assertThat(CLUSTER.collection(namespace).countDocuments()).isEqualTo(21);
    assertThat(CLUSTER.collection(namespace).countDocuments(Filters.exists("n"))).isZero();
  }

  /** Whether there was a write to kill, on the router. */
  private static boolean kill(String database) {
    var found = new ArrayList<Document>();
    CLUSTER
        .database("admin")
        .aggregate(List.of(Document.parse("{$currentOp: {localOps: true}}")))
        .forEach(
            each -> {
              Document command = each.get("command", new Document());
              if (command.containsKey("findAndModify")
                  && database.equals(command.getString("$db"))) {
                found.add(each);
              }
            });
    found.forEach(
        each ->
            CLUSTER
                .database("admin")
                .runCommand(new Document("killOp", 1).append("op", each.get("opid"))));
    return !found.isEmpty();
  }
}
