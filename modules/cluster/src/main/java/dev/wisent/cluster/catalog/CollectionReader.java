package dev.wisent.cluster.catalog;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.sharding.Chunk;
import dev.wisent.sharding.ChunkDocument;
import dev.wisent.sharding.ChunkVersion;
import dev.wisent.sharding.CollectionDocument;
import dev.wisent.sharding.CollectionRouting;
import dev.wisent.sharding.RoutingTable;
import dev.wisent.sharding.ShardKeyPattern;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Reads where the chunks of a collection are. */
final class CollectionReader {
  /** How often chunks are read that are changed meanwhile. */
  private static final int ATTEMPTS_MAX = 5;

  private final ConfigReads config;

  CollectionReader(ConfigReads config) {
    this.config = config;
  }

  /**
   * The collection as the config servers have it; null where it is not sharded.
   *
   * @param previous an older state, of which only changes are read; may be null
   */
  CollectionRouting read(
      OperationContext operation,
      ConfigReads.Source source,
      Namespace namespace,
      CollectionRouting previous) {
    CollectionRouting older = previous;
    for (int attempt = 1; ; attempt++) {
      try {
        CollectionDocument collection = collection(operation, source, namespace);
        if (collection == null) {
          return null;
        }
        CollectionRouting read = read(operation, source, collection, older);
        CollectionDocument after = collection(operation, source, namespace);
        if (after != null && after.noChunks().equals(collection.noChunks())) {
          return read;
        }
      } catch (CommandException e) {
        boolean changed = e.code() == ErrorCode.CONFLICTING_OPERATION_IN_PROGRESS;
        if (!changed || attempt == ATTEMPTS_MAX) {
          throw e;
        }
      }
      if (attempt == ATTEMPTS_MAX) {
        throw new CommandException(
            ErrorCode.CONFLICTING_OPERATION_IN_PROGRESS,
            "Collection " + namespace + " was changed while its chunks were read");
      }
      operation.checkNow();
      older = null;
    }
  }

  private CollectionDocument collection(
      OperationContext operation, ConfigReads.Source source, Namespace namespace) {
    RawDocument filter = new BsonBuilder().appendString("_id", namespace.full()).toDocument();
    List<RawDocument> found =
        config.find(operation, source, "collections", filter, RawDocument.EMPTY);
    return found.isEmpty() ? null : CollectionDocument.of(found.getFirst());
  }

  private CollectionRouting read(
      OperationContext operation,
      ConfigReads.Source source,
      CollectionDocument collection,
      CollectionRouting older) {
    ChunkVersion none = collection.noChunks();
    boolean same =
        older != null
            && older.uuid().equals(collection.uuid())
            && older.table().version().isSameCollection(none);
    ShardKeyPattern key = same ? older.key() : ShardKeyPattern.of(collection.key());
    ChunkVersion since = same ? older.table().version() : none;
    List<Chunk> chunks = chunks(operation, source, collection.uuid(), since);
    return new CollectionRouting(
        collection.namespace(),
        collection.uuid(),
        key,
        collection.unique(),
        collection.defaultCollation(),
        same ? older.table().updated(chunks) : RoutingTable.of(key, none, chunks));
  }

  /**
   * The chunks from a version on, in the order of their versions: one that is changed while they
   * are read comes once more.
   */
  private List<Chunk> chunks(
      OperationContext operation, ConfigReads.Source source, UUID uuid, ChunkVersion since) {
    var filter = new BsonBuilder().appendUuid("uuid", uuid);
    filter.startDocument("lastmod").appendTimestamp("$gte", since.combined()).end();
    RawDocument sort = new BsonBuilder().appendInt32("lastmod", 1).toDocument();
    List<RawDocument> found = config.find(operation, source, "chunks", filter.toDocument(), sort);
    var chunks = new ArrayList<Chunk>(found.size());
    found.forEach(document -> chunks.add(ChunkDocument.of(document).chunk(since)));
    return chunks;
  }
}
