package dev.wisent.tools.backup;

import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonString;

/**
 * The data directory of one server.
 *
 * @param name of the shard; of the replica set or {@code server} where there are no shards
 * @param origin what the server said of itself and of the state
 */
record BackupPart(String name, BsonDocument origin, List<StoredFile> files) {
  BackupPart {
    files = List.copyOf(files);
  }

  long bytes() {
    return files.stream().mapToLong(StoredFile::bytes).sum();
  }

  /** The address of the server. */
  String host() {
    return host(origin);
  }

  static String host(BsonDocument origin) {
    return origin.getString("host", new BsonString("?")).getValue();
  }
}
