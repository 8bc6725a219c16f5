package dev.wisent.tools.migrate;

import com.mongodb.WriteConcern;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoCursor;
import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.ReplaceOneModel;
import com.mongodb.client.model.ReplaceOptions;
import dev.wisent.tools.command.ToolException;
import dev.wisent.tools.connection.Deployment;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.bson.BsonArray;
import org.bson.BsonBinary;
import org.bson.BsonDocument;

/**
 * Keys of documents that changed while everything was copied, stored in the target: each once,
 * however often it changed.
 */
final class TouchedKeys {
  private static final int TAKEN_MAX = 5_000;
  private static final int TAKEN_BYTES_MAX = 4 << 20;

  private final MongoCollection<BsonDocument> stored;
  private final Fence fence;

  TouchedKeys(Deployment target, Fence fence) {
    this.fence = fence;
    this.stored =
        target
            .database(MigrationState.DATABASE)
            .getCollection("touched", BsonDocument.class)
            .withWriteConcern(WriteConcern.MAJORITY);
  }

  void add(Map<BsonBinary, Set<DocumentKey>> keys) throws ToolException {
    List<ReplaceOneModel<BsonDocument>> writes = new ArrayList<>();
    keys.forEach(
        (uuid, ids) ->
            ids.forEach(
                key -> {
                  BsonDocument id = new BsonDocument("u", uuid).append("k", key.id());
                  writes.add(
                      new ReplaceOneModel<>(
                          Filters.eq("_id", id),
                          new BsonDocument("_id", id),
                          new ReplaceOptions().upsert(true)));
                }));
    if (!writes.isEmpty()) {
      fence.check();
      stored.bulkWrite(writes, new BulkWriteOptions().ordered(false));
    }
  }

  /** Some of them, which fit into one command; empty if there are none. */
  Map<BsonBinary, Set<DocumentKey>> some() {
    Map<BsonBinary, Set<DocumentKey>> keys = new LinkedHashMap<>();
    int bytes = 0;
    try (MongoCursor<BsonDocument> cursor = stored.find().limit(TAKEN_MAX).cursor()) {
      while (bytes < TAKEN_BYTES_MAX && cursor.hasNext()) {
        BsonDocument id = cursor.next().getDocument("_id");
        DocumentKey key = DocumentKey.of(new BsonDocument("_id", id.get("k")));
        keys.computeIfAbsent(id.getBinary("u"), uuid -> new LinkedHashSet<>()).add(key);
        bytes += key.size();
      }
    }
    return keys;
  }

  void remove(Map<BsonBinary, Set<DocumentKey>> keys) throws ToolException {
    var ids = new BsonArray();
    keys.forEach(
        (uuid, of) ->
            of.forEach(key -> ids.add(new BsonDocument("u", uuid).append("k", key.id()))));
    fence.check();
    stored.deleteMany(new BsonDocument("_id", new BsonDocument("$in", ids)));
  }
}
