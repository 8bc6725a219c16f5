package dev.wisent.cluster.router;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.mongodb.MongoCommandException;
import com.mongodb.client.MongoClients;
import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.cluster.embedded.EmbeddedCluster;
import dev.wisent.server.ServerOptions;
import dev.wisent.server.access.MemberConnections;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A cluster in this JVM through a driver: collections that are not sharded. */
class RouterTest {
  @Test
  void unshardedCollectionsLookLikeOneServer(@TempDir Path directory) {
    try (var cluster = EmbeddedCluster.start(2, directory, options -> {});
        var client = MongoClients.create(cluster.uri())) {
      var admin = client.getDatabase("admin");
      assertEquals("isdbgrid", admin.runCommand(new Document("hello", 1)).getString("msg"));
      var missing = client.getDatabase("none").getCollection("c");
      assertEquals(List.of(), missing.find().into(new ArrayList<>()));
      var collection = client.getDatabase("db").getCollection("c");
      for (int i = 0; i < 10; i++) {
        collection.insertOne(new Document("_id", i));
      }
      assertEquals(10, collection.find().batchSize(3).into(new ArrayList<>()).size());
      assertEquals(10, collection.countDocuments());
      assertEquals(2, client.getDatabase("config").getCollection("shards").countDocuments());
      assertThrows(
          MongoCommandException.class,
          () -> client.getDatabase("local").runCommand(new Document("ping", 1)));
    }
  }

  @Test
  void configServersAreNamedByTheirSet(@TempDir Path directory) {
    var options = ServerOptions.builder(directory).port(0).configDb("a:1,b:2,c:3").build();
    CommandException error =
        assertThrows(
            CommandException.class,
            () ->
                RouterRole.open(
                    options, null, null, null, null, null, null, MemberConnections.PLAIN));
    assertEquals(ErrorCode.FAILED_TO_PARSE, error.code());
    assertEquals(
        "Config servers are a replica set: name it as <set>/a:1,b:2,c:3", error.getMessage());
  }
}
