package dev.wisent.cluster.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoCommandException;
import java.util.List;
import java.util.UUID;
import org.bson.BsonBinary;
import org.bson.BsonTimestamp;
import org.bson.Document;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The request that begins a migration is late: its connection broke, the coordinator has sent it
 * again, and the migration has ended since.
 */
class LateMigrationTest {
  @RegisterExtension static final AdminCluster CLUSTER = new AdminCluster();

  private static int databases;

  private final UUID id = UUID.randomUUID();
  private String namespace;

  @BeforeEach
  void prepare() {
    String database = "late" + databases++;
    namespace = database + ".c";
    CLUSTER.create(database, 0);
    CLUSTER.admin("{shardCollection: '%s', key: {k: 1}}".formatted(namespace));
    CLUSTER.collection(namespace).insertOne(new Document("k", 5));
  }

  private Document call(String command) {
    UUID uuid =
        CLUSTER
            .metadata("collections")
            .find(new Document("_id", namespace))
            .first()
            .getBinary("uuid")
            .asUuid();
    return new Document(command, namespace)
        .append("id", new BsonBinary(id))
        .append("uuid", new BsonBinary(uuid))
        .append("min", new Document("k", 0))
        .append("max", new Document("k", 10))
        .append("fromShard", "shard0")
        .append("toShard", "shard1");
  }

  private static void run(int shard, Document command) {
    CLUSTER.onShard(shard, "admin").runCommand(command);
  }

  private static long known(int shard, String collection) {
    return CLUSTER.onShard(shard, "config").getCollection(collection).countDocuments();
  }

  @ParameterizedTest
  @ValueSource(strings = {"_shardsvrEndMove", "_shardsvrAbortMove"})
  void theDonorDoesNotBeginItAgain(String end) {
    run(0, call(end).append("donor", true));
    Document late =
        call("_shardsvrMoveRange")
            .append("maxChunkSizeBytes", 1L << 27)
            .append("forceJumbo", false);
    assertThatThrownBy(() -> run(0, late))
        .isInstanceOf(MongoCommandException.class)
        .hasMessageContaining("has ended already");
    assertThat(known(0, "migrationCoordinators")).isZero();
    assertThat(known(1, "migrationRecipients")).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"_shardsvrEndMove", "_shardsvrAbortMove"})
  void theRecipientDoesNotBeginItAgain(String end) {
    run(1, call(end).append("donor", false));
    Document owned =
        CLUSTER
            .onShard(0, "config")
            .getCollection("shard.catalog.collections")
            .find(new Document("_id", namespace))
            .first();
    Document none =
        new Document("e", owned.get("epoch"))
            .append("t", owned.get("timestamp"))
            .append("v", new BsonTimestamp(0));
    Document late =
        call("_shardsvrRecvStart")
            .append("number", new Document("attempt", 1L).append("call", 1L))
            .append("key", new Document("k", 1))
            .append("unique", false)
            .append("none", none)
            .append("options", new Document())
            .append("indexes", List.of());
    assertThatThrownBy(() -> run(1, late))
        .isInstanceOf(MongoCommandException.class)
        .hasMessageContaining("has ended already");
    assertThat(known(1, "migrationRecipients")).isZero();
  }

  @Test
  void anotherMigrationOfTheRangeIsNotConcerned() {
    run(0, call("_shardsvrEndMove").append("donor", true));
    CLUSTER.admin(
        "{moveRange: '%s', min: {k: 0}, max: {k: 10}, toShard: 'shard1'}".formatted(namespace));
    assertThat(CLUSTER.onShard(1, namespace.split("\\.")[0]).getCollection("c").countDocuments())
        .isEqualTo(1);
  }
}
