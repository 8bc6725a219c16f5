package dev.wisent.cluster.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.ConnectionString;
import com.mongodb.MongoSecurityException;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Aggregates;
import com.mongodb.client.model.Filters;
import dev.wisent.cluster.embedded.EmbeddedCluster;
import dev.wisent.cluster.embedded.EmbeddedSet;
import dev.wisent.server.access.AccessOptions;
import dev.wisent.server.access.AccessOptions.ClusterAuthMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Servers in the middle of a change of keys: any two of them have one in common. */
class KeyFileTest {
  private static final List<String> FILES =
      List.of("oldkey", "- oldkey\n- newkey\n", "- newkey\n- oldkey\n");

  @TempDir private Path directory;
  private final AtomicInteger servers = new AtomicInteger();

  private AccessOptions access() {
    int number = servers.getAndIncrement();
    Path file = directory.resolve("key" + number);
    try {
      Files.writeString(file, FILES.get(number % FILES.size()));
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return new AccessOptions(false, Optional.of(file), ClusterAuthMode.KEY_FILE);
  }

  private static MongoClient root(String uri) {
    return MongoClients.create(uri.replace("mongodb://", "mongodb://root:secret@"));
  }

  private static void createRoot(String uri) {
    try (MongoClient local = MongoClients.create(uri)) {
      local
          .getDatabase("admin")
          .runCommand(Document.parse("{createUser: 'root', pwd: 'secret', roles: ['root']}"));
    }
  }

  private static List<String> hosts(String uri) {
    return new ConnectionString(uri).getHosts();
  }

  private static void checkKeys(List<String> hosts) {
    for (String host : hosts) {
      assertThatThrownBy(() -> MemberCall.status(host, List.of("wrongkey")))
          .hasMessageContaining("the login as a member was refused");
      assertThat(MemberCall.status(host, List.of("wrongkey", "oldkey")).toJson())
          .contains("\"user\": \"__system\"", "\"db\": \"local\"");
    }
  }

  @Test
  void aSetWorksWhileItsKeysChange() {
    try (EmbeddedSet set =
        EmbeddedSet.start(
            "keyed", 3, directory, options -> options.cacheBytes(32 << 20).access(access()))) {
      createRoot(set.uri());
      try (MongoClient client = root(set.uri())) {
        client
            .getDatabase("test")
            .getCollection("c")
            .withWriteConcern(new WriteConcern(3).withWTimeout(60, TimeUnit.SECONDS))
            .insertOne(new Document("_id", 1));
      }
      checkKeys(hosts(set.uri()));
      String wrong = set.uri().replace("mongodb://", "mongodb://root:other@");
      try (MongoClient client = MongoClients.create(wrong)) {
        assertThatThrownBy(() -> client.getDatabase("test").getCollection("c").countDocuments())
            .isInstanceOf(MongoSecurityException.class);
      }
    }
  }

  @Test
  void aClusterWorksWhileItsKeysChange() {
    try (EmbeddedCluster cluster =
        EmbeddedCluster.start(
            2, directory, options -> options.cacheBytes(32 << 20).access(access()))) {
      createRoot(cluster.uri());
      try (MongoClient client = root(cluster.uri())) {
        client
            .getDatabase("admin")
            .runCommand(Document.parse("{shardCollection: 'test.c', key: {_id: 'hashed'}}"));
        MongoCollection<Document> c = client.getDatabase("test").getCollection("c");
        c.insertMany(IntStream.range(0, 50).mapToObj(i -> new Document("_id", i)).toList());
        assertThat(c.countDocuments()).isEqualTo(50);
        assertThat(
                c.aggregate(
                        List.of(
                            Aggregates.match(Filters.lt("_id", 5)),
                            Aggregates.lookup("c", "_id", "_id", "same")))
                    .into(new ArrayList<>()))
            .hasSize(5)
            .allSatisfy(each -> assertThat(each.getList("same", Document.class)).hasSize(1));
      }
      var hosts = new ArrayList<>(hosts(cluster.uri()));
      hosts.addAll(hosts(cluster.config().uri()));
      cluster.shards().forEach(shard -> hosts.addAll(hosts(shard.uri())));
      checkKeys(hosts);
    }
  }
}
