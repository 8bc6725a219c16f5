package dev.wisent.tools.migrate;

import dev.wisent.tools.command.Surroundings;
import dev.wisent.tools.command.ToolException;
import dev.wisent.tools.command.Workers;
import dev.wisent.tools.connection.Deployment;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
  private static final int KEYS_MAX = 500;
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
          List<DocumentKey> all = List.copyOf(keys);
          int size = inOrder ? all.size() : KEYS_MAX;
          for (int i = 0; i < all.size(); i += size) {
            List<DocumentKey> part = all.subList(i, Math.min(all.size(), i + size));
            tasks.add(
                () -> Attempts.untilItSucceeds(surroundings, () -> refresh(uuid, part, time)));
          }
        });
    if (!tasks.isEmpty()) {
      Workers.run(surroundings.scheduler(), "apply", threads, tasks);
    }
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
      Map<DocumentKey, RawBsonDocument> found = read(info, keys, time);
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

  private Map<DocumentKey, RawBsonDocument> read(
      CollectionInfo info, Collection<DocumentKey> keys, BsonTimestamp time) {
    var ids = new BsonArray();
    keys.forEach(key -> ids.add(key.id()));
    Map<DocumentKey, RawBsonDocument> found = new HashMap<>();
    try (var reads = new SourceReads(source, SourceTime.later(time, catalog.time()))) {
      reads
          .find(info, new BsonDocument("_id", new BsonDocument("$in", ids)))
          .forEach(document -> found.put(DocumentKey.of(document), document));
    }
    return found;
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
