package dev.wisent.cluster.config.ddl;

import dev.wisent.base.Limits;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.config.metadata.CatalogStore;
import dev.wisent.cluster.coordinator.PhaseContext;
import dev.wisent.operation.FindRequest;
import dev.wisent.sharding.ChunkDocument;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * Chunks that no entry of {@code config.collections} refers to: those of a collection that has gone
 * from the metadata, and those of one that is about to come. Readers find chunks by the UUID of
 * such an entry and never see them, so they are written and deleted in pages, in no transaction.
 */
final class UnusedChunks {
  private static final RawDocument OLDEST_FIRST = RawDocument.parse("{lastmod: 1}");

  /** What the index has, so that no chunk is read. */
  private static final RawDocument VERSIONS = RawDocument.parse("{_id: 0, lastmod: 1}");

  private final CatalogStore store;

  UnusedChunks(CatalogStore store) {
    this.store = store;
  }

  /** Deletes all of a collection, unless the metadata refers to them. */
  void delete(PhaseContext context, UUID uuid) {
    RawDocument ofUuid = CatalogReads.ofUuid(uuid);
    if (store.findOne(context.operation(), CatalogReads.COLLECTIONS, ofUuid) != null) {
      return;
    }
    // What was deleted is not looked at again: the index has it until it is compacted.
    long after = 0;
    long last = endOfPage(context, uuid, after);
    while (last >= 0) {
      store.removeAll(context.operation(), CatalogReads.CHUNKS, range(uuid, after, last));
      context.pages().end().run();
      after = last;
      last = endOfPage(context, uuid, after);
    }
    store.removeAll(context.operation(), CatalogReads.CHUNKS, ofUuid);
  }

  /**
   * Writes all of a collection to which the metadata does not refer yet. Does nothing where they
   * are there: what is written is complete only when all have been.
   */
  void write(PhaseContext context, UUID uuid, List<ChunkDocument> chunks) {
    RawDocument ofUuid = CatalogReads.ofUuid(uuid);
    if (store.count(context.operation(), CatalogReads.CHUNKS, ofUuid) == chunks.size()) {
      return;
    }
    delete(context, uuid);
    var page = new ArrayList<RawDocument>();
    long bytes = 0;
    for (ChunkDocument chunk : chunks) {
      RawDocument document = chunk.toDocument();
      page.add(document);
      bytes += document.length();
      if (page.size() == context.pages().documents() || bytes > Limits.METADATA_PAGE_BYTES) {
        store.insertAll(context.operation(), CatalogReads.CHUNKS, page);
        context.pages().end().run();
        page.clear();
        bytes = 0;
      }
    }
    if (!page.isEmpty()) {
      store.insertAll(context.operation(), CatalogReads.CHUNKS, page);
    }
  }

  /** The version of the last chunk of a full page; negative where there are fewer chunks. */
  private long endOfPage(PhaseContext context, UUID uuid, long after) {
    List<RawDocument> found =
        store.find(
            context.operation(),
            CatalogReads.CHUNKS,
            new FindRequest.Builder()
                .filter(range(uuid, after, -1))
                .sort(OLDEST_FIRST)
                .projection(VERSIONS)
                .skip(context.pages().documents() - 1L)
                .limit(1));
    return found.isEmpty() ? -1 : found.getFirst().get("lastmod").asInt64();
  }

  /**
   * @param last a version; negative for no end
   */
  private static RawDocument range(UUID uuid, long after, long last) {
    var filter = new BsonBuilder().appendUuid("uuid", uuid);
    filter.startDocument("lastmod").appendTimestamp("$gt", after);
    if (last >= 0) {
      filter.appendTimestamp("$lte", last);
    }
    return filter.end().toDocument();
  }
}
