package dev.wisent.cluster.config.ddl;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.DocumentFields;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.config.balancer.ChunkMerges;
import dev.wisent.cluster.config.metadata.CatalogChange;
import dev.wisent.cluster.config.metadata.CatalogWriter;
import dev.wisent.cluster.config.metadata.ClusterMetadata;
import dev.wisent.cluster.config.migration.GrantedMigrations;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.OperationContext;
import dev.wisent.sharding.ChunkDocument;
import dev.wisent.sharding.ChunkRange;
import dev.wisent.sharding.ChunkVersion;
import dev.wisent.sharding.CollectionDocument;
import dev.wisent.sharding.balance.Fragments;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntSupplier;

/**
 * Merges chunks on one shard. Chunks are merged that are not jumbo, that are in one zone or in
 * none, and whose shard has had them for longer than snapshots are kept: no reader asks for an
 * earlier place any more.
 */
public final class MergeableChunks implements ChunkMerges {
  /** So many chunks in one transaction. */
  private static final int TRANSACTION_CHUNKS_MAX = Fragments.RUN_CHUNKS_MAX;

  /** So many chunks are in memory as documents at a time. */
  private static final int PAGE_CHUNKS = 10_000;

  private static final RawDocument BY_MIN = RawDocument.parse("{min: 1}");
  private static final long MILLIS = 1000;

  private final ClusterMetadata metadata;
  private final IntSupplier historySeconds;
  private final CatalogReads catalog;

  /**
   * @param historySeconds for how long snapshots are kept
   */
  public MergeableChunks(ClusterMetadata metadata, IntSupplier historySeconds) {
    this.metadata = metadata;
    this.historySeconds = historySeconds;
    this.catalog = new CatalogReads(metadata.store());
  }

  @Override
  public long merge(OperationContext operation, String namespace, String shard, Bounds bounds) {
    CollectionDocument collection = catalog.requireSharded(operation, namespace);
    Set<RawDocument> borders = borders(operation, namespace);
    long merged = 0;
    RawDocument from = null;
    List<RawDocument> page;
    do {
      page =
          metadata
              .store()
              .find(operation, CatalogReads.CHUNKS, page(collection, shard, from, null));
      from = page.isEmpty() ? null : DocumentFields.document(page.getLast(), "min");
      for (List<RawDocument> run : runs(page, borders, bounds.groupMax())) {
        if (merged == bounds.chunksMax()) {
          return merged;
        }
        int most = (int) Math.min(run.size(), bounds.chunksMax() - merged + 1);
        Merged result = mergeInParts(operation, collection, run.subList(0, most));
        merged += result.fewer;
        if (run.getLast() == page.getLast()) {
          // The next page may go on with it.
          from = DocumentFields.document(result.last, "min");
        }
      }
    } while (page.size() == PAGE_CHUNKS);
    return merged;
  }

  /** What has become of a run: its last chunk, and how many there are less. */
  private record Merged(RawDocument last, long fewer) {}

  /** As many chunks as one transaction may change, then what these are now with the next ones. */
  private Merged mergeInParts(
      OperationContext operation, CollectionDocument collection, List<RawDocument> run) {
    RawDocument last = run.getFirst();
    int done = 1;
    while (done < run.size()) {
      operation.checkNow();
      int end = Math.min(run.size(), done + TRANSACTION_CHUNKS_MAX - 1);
      var part = new ArrayList<RawDocument>();
      part.add(last);
      part.addAll(run.subList(done, end));
      RawDocument result = merge(operation, collection, part);
      if (result == null) {
        return new Merged(run.getLast(), done - 1);
      }
      last = result;
      done = end;
    }
    return new Merged(last, done - 1);
  }

  @Override
  public boolean merge(
      OperationContext operation, String namespace, String shard, ChunkRange range) {
    CollectionDocument collection = catalog.requireSharded(operation, namespace);
    FindRequest.Builder inside =
        page(collection, shard, range.min(), range.max()).limit(TRANSACTION_CHUNKS_MAX);
    List<RawDocument> found = metadata.store().find(operation, CatalogReads.CHUNKS, inside);
    List<List<RawDocument>> runs = runs(found, Set.of(), found.size());
    // One that is too new, or has changed, is not among them.
    boolean whole =
        runs.size() == 1
            && runs.getFirst().size() == found.size()
            && DocumentFields.document(found.getFirst(), "min").equals(range.min())
            && DocumentFields.document(found.getLast(), "max").equals(range.max());
    return whole && merge(operation, collection, runs.getFirst()) != null;
  }

  /** Where zones begin and end. */
  private Set<RawDocument> borders(OperationContext operation, String namespace) {
    var borders = new HashSet<RawDocument>();
    for (RawDocument zone : catalog.zones(operation, namespace)) {
      borders.add(DocumentFields.document(zone, "min"));
      borders.add(DocumentFields.document(zone, "max"));
    }
    return borders;
  }

  private FindRequest.Builder page(
      CollectionDocument collection, String shard, RawDocument from, RawDocument to) {
    long horizon = metadata.clock().wallMillis() / MILLIS - historySeconds.getAsInt();
    var filter = new BsonBuilder().appendUuid("uuid", collection.uuid());
    filter.appendString("shard", shard);
    filter.startDocument("onCurrentShardSince");
    filter.appendTimestamp("$lt", Math.max(0, horizon + 1) << Integer.SIZE).end();
    filter.startDocument("jumbo").appendBoolean("$ne", true).end();
    if (from != null) {
      filter.startDocument("min").appendDocument("$gte", from);
      if (to != null) {
        filter.appendDocument("$lt", to);
      }
      filter.end();
    }
    return new FindRequest.Builder().filter(filter.toDocument()).sort(BY_MIN).limit(PAGE_CHUNKS);
  }

  /** Groups of neighbours, each of at least two. */
  private static List<List<RawDocument>> runs(
      List<RawDocument> chunks, Set<RawDocument> borders, long groupMax) {
    var runs = new ArrayList<List<RawDocument>>();
    List<RawDocument> run = new ArrayList<>();
    for (RawDocument chunk : chunks) {
      RawDocument min = DocumentFields.document(chunk, "min");
      boolean follows =
          !run.isEmpty()
              && run.size() < groupMax
              && DocumentFields.document(run.getLast(), "max").equals(min)
              && !borders.contains(min);
      if (!follows) {
        if (run.size() > 1) {
          runs.add(run);
        }
        run = new ArrayList<>();
      }
      run.add(chunk);
    }
    if (run.size() > 1) {
      runs.add(run);
    }
    return runs;
  }

  /** The new chunk; null where one of them has changed meanwhile. */
  private RawDocument merge(
      OperationContext operation, CollectionDocument collection, List<RawDocument> run) {
    ChunkDocument first = ChunkDocument.of(run.getFirst());
    ChunkDocument last = ChunkDocument.of(run.getLast());
    var range = new ChunkRange(first.range().min(), last.range().max());
    var details = new BsonBuilder();
    details.append("merged", DocumentFields.arrayOf(run.stream().limit(2).toList()));
    details.appendInt32("numChunks", run.size());
    range.append(details);
    details.appendString("owningShard", first.shard());
    var merged = new AtomicReference<RawDocument>();
    try {
      metadata
          .writer()
          .change(
              operation,
              new CatalogWriter.Entry(
                  "autoMerge", collection.namespace().full(), details.toDocument()),
              change -> merged.set(merge(change, collection, run, range)));
      return merged.get();
    } catch (CommandException e) {
      if (e.code() != ErrorCode.CONFLICTING_OPERATION_IN_PROGRESS) {
        throw e;
      }
      return null;
    }
  }

  private static RawDocument merge(
      CatalogChange change,
      CollectionDocument collection,
      List<RawDocument> run,
      ChunkRange range) {
    RefinedChunks.requireComplete(change, collection.namespace().full());
    GrantedMigrations.requireNone(change, collection.uuid(), range.min(), range.max());
    ChunkDocument first = ChunkDocument.of(run.getFirst());
    ChunkVersion version = ChunkVersions.newestOf(change, collection, first.shard());
    long since = 0;
    for (RawDocument each : run) {
      since = Math.max(since, ChunkDocument.of(each).onCurrentShardSince());
      change.delete(CatalogReads.CHUNKS, each);
    }
    RawDocument merged =
        new ChunkDocument(
                first.id(),
                first.uuid(),
                range,
                first.shard(),
                version.nextMinor().combined(),
                since,
                List.of(new ChunkDocument.Placement(since, first.shard())),
                false)
            .toDocument();
    change.insert(CatalogReads.CHUNKS, merged);
    return merged;
  }
}
