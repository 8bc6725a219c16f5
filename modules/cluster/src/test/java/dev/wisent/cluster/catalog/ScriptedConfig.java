package dev.wisent.cluster.catalog;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.call.ScriptedNodes;
import dev.wisent.query.context.QueryContext;
import dev.wisent.query.match.MatchExpression;
import dev.wisent.query.match.MatchParser;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A config server with the documents that a test gives it; its batches are small. */
final class ScriptedConfig {
  static final int BATCH = 2;

  private final Map<String, Map<String, RawDocument>> collections = new HashMap<>();
  private final Map<Long, List<RawDocument>> cursors = new HashMap<>();
  private long cursorIds;

  synchronized ScriptedConfig put(String collection, String json) {
    return put(collection, RawDocument.parse(json));
  }

  synchronized ScriptedConfig put(String collection, RawDocument document) {
    collections
        .computeIfAbsent(collection, name -> new HashMap<>())
        .put(document.get("_id").toString(), document);
    return this;
  }

  synchronized void clear(String collection) {
    collections.remove(collection);
  }

  synchronized RawDocument answer(ScriptedNodes.Call call) {
    return switch (call.name()) {
      case "find" -> {
        List<RawDocument> found = find(call.body());
        yield reply("firstBatch", ++cursorIds, found);
      }
      case "getMore" -> {
        long id = call.body().get("getMore").asInt64();
        yield reply("nextBatch", id, cursors.remove(id));
      }
      default -> throw new IllegalArgumentException(call.name());
    };
  }

  private List<RawDocument> find(RawDocument command) {
    MatchExpression filter =
        MatchParser.parse(command.get("filter").asDocument(), QueryContext.of(() -> 0, () -> 0));
    var found =
        new ArrayList<>(
            collections.getOrDefault(command.get("find").asString(), Map.of()).values().stream()
                .filter(filter::matches)
                .toList());
    if (command.get("sort").asDocument().get("lastmod") != null) {
      found.sort(Comparator.comparingLong(each -> each.get("lastmod").asInt64()));
    }
    return found;
  }

  private RawDocument reply(String batchName, long id, List<RawDocument> found) {
    int count = Math.min(BATCH, found.size());
    boolean more = found.size() > count;
    if (more) {
      cursors.put(id, found.subList(count, found.size()));
    }
    var out = new BsonBuilder();
    out.startDocument("cursor");
    out.startArray(batchName);
    for (int i = 0; i < count; i++) {
      out.appendDocument(i, found.get(i));
    }
    out.end();
    out.appendInt64("id", more ? id : 0);
    out.end();
    return out.appendDouble("ok", 1).toDocument();
  }
}
