package dev.wisent.database.ownership;

import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.ResultCursor;
import dev.wisent.sharding.ChunkRange;
import dev.wisent.sharding.ChunkVersion;
import dev.wisent.sharding.DatabaseVersion;
import dev.wisent.sharding.OwnedRanges;
import dev.wisent.sharding.RangeMove;
import dev.wisent.sharding.ShardKeyPattern;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;

/** Reads {@link ShardTables} from the collections that they are written to, in one state. */
final class TableReader {
  private final Function<FindRequest, ResultCursor> reader;

  /**
   * @param reader finds documents, each time in the same state
   */
  TableReader(Function<FindRequest, ResultCursor> reader) {
    this.reader = reader;
  }

  ShardTables read() {
    RawDocument[] identity = {null};
    forEach(
        Ownership.VERSIONS,
        document -> {
          RawValue id = document.get("_id");
          if (id.isString() && id.asString().equals(Ownership.IDENTITY_ID)) {
            identity[0] = document;
          }
        });
    var databases = new HashMap<String, DatabaseVersion>();
    forEach(
        Ownership.DATABASES,
        document ->
            databases.put(
                document.get("_id").asString(),
                DatabaseVersion.of(document.get("version").asDocument())));
    var ranges = new HashMap<String, List<ChunkRange>>();
    forEach(
        Ownership.CHUNKS,
        document -> {
          RawDocument id = document.get("_id").asDocument();
          ranges
              .computeIfAbsent(id.get("ns").asString(), any -> new ArrayList<>())
              .add(new ChunkRange(id.get("min").asDocument(), document.get("max").asDocument()));
        });
    var collections = new HashMap<Namespace, OwnedRanges>();
    var arrivals = new HashMap<Namespace, Arrivals>();
    forEach(
        Ownership.COLLECTIONS,
        document -> {
          OwnedRanges owned = collection(document, ranges);
          collections.put(owned.namespace(), owned);
          arrivals.put(owned.namespace(), Arrivals.of(document));
        });
    var blocked = new HashSet<String>();
    var hidden = new HashSet<String>();
    forEach(
        Ownership.BLOCKS,
        document -> {
          String name = document.get("_id").asDocument().get("ns").asString();
          blocked.add(name);
          if (document.get("reads") != null) {
            hidden.add(name);
          }
        });
    var moves = new HashMap<Namespace, List<RangeMove>>();
    forEach(
        Ownership.MOVES,
        document ->
            moves
                .computeIfAbsent(
                    Namespace.parse(document.get("ns").asString()), any -> new ArrayList<>())
                .add(RangeMove.of(document.get("move").asDocument())));
    return new ShardTables(identity[0], databases, collections, blocked, hidden, moves, arrivals);
  }

  private static OwnedRanges collection(
      RawDocument document, Map<String, List<ChunkRange>> ranges) {
    String name = document.get("_id").asString();
    return new OwnedRanges(
        Namespace.parse(name),
        document.get("uuid").asUuid(),
        ShardKeyPattern.of(document.get("key").asDocument()),
        document.get("unique").asBoolean(),
        ChunkVersion.of(
            document.get("epoch").asObjectId(),
            document.get("timestamp").asInt64(),
            document.get("lastmod").asInt64()),
        ranges.getOrDefault(name, List.of()),
        document.get("unsplittable") != null);
  }

  private void forEach(Namespace namespace, Consumer<RawDocument> action) {
    try (ResultCursor stored = reader.apply(FindRequest.of(namespace, RawDocument.EMPTY))) {
      for (RawDocument document; (document = stored.peek()) != null; stored.take()) {
        action.accept(RawDocument.of(document.toByteArray()));
      }
    }
  }
}
