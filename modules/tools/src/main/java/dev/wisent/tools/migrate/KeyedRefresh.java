package dev.wisent.tools.migrate;

import com.mongodb.client.MongoCursor;
import dev.wisent.tools.command.Surroundings;
import dev.wisent.tools.command.ToolException;
import dev.wisent.tools.command.Workers;
import dev.wisent.tools.connection.Attempts;
import dev.wisent.tools.connection.Deployment;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.bson.BsonArray;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.BsonTimestamp;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;

/**
 * Brings documents in line with the source: those of some keys are read there as they are now, and
 * written to the copy, or deleted from it. What happened to them in between does not matter.
 */
final class KeyedRefresh {
  static final int KEYS_MAX = 500;
  private static final int KEY_BYTES_MAX = 1 << 20;
  private static final int BYTES_MAX = 8 << 20;
  private static final int RENAMES_MAX = 20;

  private final Deployment source;
  private final CatalogSync catalog;
  private final Surroundings surroundings;
  private final int threads;

  KeyedRefresh(Deployment source, CatalogSync catalog, Surroundings surroundings, int threads) {
    this.source = source;
    this.catalog = catalog;
    this.surroundings = surroundings;
    this.threads = threads;
  }

  /**
   * Brings documents of several collections in line.
   *
   * @param time a cluster time of the source that reads must not be older than
   */
  void refresh(Map<BsonBinary, Set<DocumentKey>> changed, BsonTimestamp time) throws ToolException {
    List<Workers.Task> tasks = new ArrayList<>();
    changed.forEach(
        (uuid, keys) -> {
          CollectionInfo info = catalog.sourceOf(uuid);
          boolean inOrder = info != null && info.isCapped();
          List<Workers.Task> ofCollection = new ArrayList<>();
          for (List<DocumentKey> part : parts(keys)) {
            ofCollection.add(
                () -> Attempts.untilItSucceeds(surroundings, () -> refresh(uuid, part, time)));
          }
          if (inOrder) {
            tasks.add(
                () -> {
                  for (Workers.Task each : ofCollection) {
                    each.run();
                  }
                });
          } else {
            tasks.addAll(ofCollection);
          }
        });
    if (!tasks.isEmpty()) {
      Workers.run(surroundings.scheduler(), "apply", threads, tasks);
    }
  }

  /** Keys that fit into one command. */
  static List<List<DocumentKey>> parts(Collection<DocumentKey> keys) {
    List<List<DocumentKey>> parts = new ArrayList<>();
    List<DocumentKey> part = new ArrayList<>();
    int bytes = 0;
    for (DocumentKey key : keys) {
      part.add(key);
      bytes += key.size();
      if (part.size() == KEYS_MAX || bytes >= KEY_BYTES_MAX) {
        parts.add(part);
        part = new ArrayList<>();
        bytes = 0;
      }
    }
    if (!part.isEmpty()) {
      parts.add(part);
    }
    return parts;
  }

  private void refresh(BsonBinary uuid, List<DocumentKey> keys, BsonTimestamp time)
      throws ToolException {
    MovedCollection moved = catalog.find(uuid).orElse(null);
    if (moved == null) {
      return; // none of those that are moved
    }
    for (int attempt = 1; ; attempt++) {
      surroundings.interruption().check();
      CollectionInfo info = catalog.sourceOf(uuid);
      if (info == null) {
        return; // dropped, which the next look at the catalog repeats
      }
      Map<DocumentKey, RawBsonDocument> found = read(info, keys, time).orElse(null);
      if (found == null) {
        refresh(uuid, keys.subList(0, keys.size() / 2), time);
        refresh(uuid, keys.subList(keys.size() / 2, keys.size()), time);
        return;
      }
      if (catalog.isWhereItWas(info)) {
        write(moved, info, keys, found);
        return;
      }
      if (attempt == RENAMES_MAX) {
        throw ToolException.failed(info + " is renamed too often to be read");
      }
      catalog.findAgain();
    }
  }

  /** The documents of some keys; empty if those of several are too large to be held at once. */
  private Optional<Map<DocumentKey, RawBsonDocument>> read(
      CollectionInfo info, Collection<DocumentKey> keys, BsonTimestamp time) {
    var ids = new BsonArray();
    keys.forEach(key -> ids.add(key.id()));
    Map<DocumentKey, RawBsonDocument> found = new HashMap<>();
    long bytes = 0;
    try (var reads = new SourceReads(source, SourceTime.later(time, catalog.time()));
        MongoCursor<RawBsonDocument> cursor =
            reads.find(info, new BsonDocument("_id", new BsonDocument("$in", ids))).cursor()) {
      while (cursor.hasNext()) {
        RawBsonDocument document = cursor.next();
        bytes += document.getByteBuffer().remaining();
        if (bytes > BYTES_MAX && keys.size() > 1) {
          return Optional.empty();
        }
        found.put(DocumentKey.of(document), document);
      }
    }
    return Optional.of(found);
  }

  private void write(
      MovedCollection moved,
      CollectionInfo info,
      List<DocumentKey> keys,
      Map<DocumentKey, RawBsonDocument> found)
      throws ToolException {
    List<BsonValue> gone = new ArrayList<>();
    Map<DocumentKey, RawBsonDocument> there = new LinkedHashMap<>();
    for (DocumentKey key : keys) {
      RawBsonDocument document = found.remove(key);
      if (document == null) {
        gone.add(key.id());
      } else {
        there.put(key, document);
      }
    }
    // A number of another type, or a string that a collation makes equal, is the same key.
    there.putAll(found);
    var writer = catalog.writer(moved, info);
    writer.delete(gone);
    writer.replace(List.copyOf(there.values()));
  }
}
