package dev.wisent.cluster.config.ddl;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.DocumentFields;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.config.metadata.CatalogChange;
import dev.wisent.cluster.config.metadata.CatalogWriter;
import dev.wisent.cluster.config.metadata.ClusterMetadata;
import dev.wisent.cluster.coordinator.Coordinator;
import dev.wisent.cluster.coordinator.Phase;
import dev.wisent.cluster.coordinator.PhaseContext;
import dev.wisent.cluster.coordinator.ResourceLock;
import dev.wisent.operation.Namespace;
import dev.wisent.sharding.ChunkDocument;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Puts a collection with another shard key, or on other shards, in the place of one. The shards
 * copy it to a temporary collection while clients go on, and its chunks are written under its new
 * UUID. Then writers wait, the last changes come, and the entry of the collection changes in one
 * transaction: that is the decision. Each shard then renames the temporary collection, and nothing
 * reads or writes it until all have. The old chunks go last.
 */
final class ReshardCoordinator implements Coordinator {
  static final String RESHARD = "reshardCollection";
  static final String UNSHARD = "unshardCollection";
  static final String MOVE = "moveCollection";

  private final String type;
  private final ClusterMetadata metadata;
  private final DdlParts parts;
  private final CatalogReads catalog;
  private final Participants participants;
  private final ReshardShards shards;
  private final UnusedChunks chunks;
  private final ReshardEnd end;
  private final ReshardingOperations shown;

  ReshardCoordinator(String type, ClusterMetadata metadata, DdlParts parts) {
    this.type = type;
    this.metadata = metadata;
    this.parts = parts;
    this.catalog = parts.catalog();
    this.participants = parts.participants();
    this.shards = new ReshardShards(type, metadata.shards());
    this.chunks = new UnusedChunks(metadata.store());
    this.shown = new ReshardingOperations(type, metadata.store());
    this.end = new ReshardEnd(shards, shown);
  }

  @Override
  public String type() {
    return type;
  }

  @Override
  public Set<ResourceLock> locks(String resource, RawDocument arguments) {
    return ResourceLock.ofCollection(resource);
  }

  @Override
  public Optional<RawDocument> check(PhaseContext context) {
    return new ReshardPlan(type, metadata, parts, context).isDone()
        ? Optional.of(RawDocument.EMPTY)
        : Optional.empty();
  }

  @Override
  public List<Phase> phases() {
    return List.of(
        Phase.deciding("begin", this::begin),
        Phase.reversible("createTemporary", this::createTemporary),
        Phase.deciding("clone", this::copy),
        Phase.reversible("writeChunks", this::writeChunks),
        Phase.deciding("blockWrites", end::blockWrites),
        Phase.untilDone("commit", this::commit),
        Phase.untilDone("switchShards", this::switchShards),
        Phase.untilDone("unblockWrites", this::unblockWrites),
        Phase.untilDone("forget", this::forget),
        Phase.untilDone(MetadataRemoval.CHUNKS_PHASE, this::removeChunks));
  }

  private RawDocument begin(PhaseContext context) {
    return new ReshardPlan(type, metadata, parts, context).decide();
  }

  static List<String> shards(PhaseContext context) {
    return DocumentFields.texts(context.data(), "shards");
  }

  static List<String> donors(PhaseContext context) {
    return DocumentFields.texts(context.data(), "donors");
  }

  private static String primary(PhaseContext context) {
    return shards(context).getLast();
  }

  private static Namespace temporary(PhaseContext context) {
    return Namespace.parse(DocumentFields.text(context.data(), "temporary"));
  }

  private static UUID newUuid(PhaseContext context) {
    return context.data().get("newUuid").asUuid();
  }

  /** Whether the collection will be in the metadata. */
  private static boolean isTracked(PhaseContext context) {
    return !DocumentFields.isTrue(context.data(), "untracked");
  }

  /** The shards that will have the collection: those with chunks, and the primary. */
  static Set<String> holders(PhaseContext context) {
    var holders = new LinkedHashSet<String>();
    for (RawDocument chunk : DocumentFields.documents(context.data(), "chunks")) {
      holders.add(DocumentFields.text(chunk, "shard"));
    }
    holders.add(primary(context));
    return holders;
  }

  private void createTemporary(PhaseContext context) {
    shown.put(context, ReshardingOperations.State.PREPARING);
    Participants silent = participants.telling(false);
    RawDocument data = context.data();
    for (String shard : holders(context)) {
      if (!isThere(context, shard, temporary(context))) {
        // Of an earlier run of which a late request has made it again.
        silent.drop(context, shard, temporary(context));
      }
      silent.createCollection(
          context,
          shard,
          temporary(context).full(),
          newUuid(context),
          DocumentFields.document(data, "options"),
          Participants.withoutId(DocumentFields.documents(data, "indexes")));
    }
  }

  /** Whether the new collection has a name on a shard. */
  private boolean isThere(PhaseContext context, String shard, Namespace namespace) {
    RawDocument entry = participants.collection(context, shard, namespace);
    return entry != null
        && newUuid(context).equals(DocumentFields.document(entry, "info").get("uuid").asUuid());
  }

  private RawDocument copy(PhaseContext context) {
    shown.put(context, ReshardingOperations.State.CLONING);
    long start = metadata.clock().wallMillis();
    long documents = 0;
    long bytes = 0;
    for (RawDocument reply : shards.copy(context, donors(context)).values()) {
      documents += DocumentFields.number(reply, "documentsCopied");
      bytes += DocumentFields.number(reply, "bytesCopied");
    }
    return new BsonBuilder()
        .appendInt64("documentsCopied", documents)
        .appendInt64("bytesCopied", bytes)
        .appendInt64("cloneMillis", metadata.clock().wallMillis() - start)
        .toDocument();
  }

  /** Before writers wait. */
  private void writeChunks(PhaseContext context) {
    if (isTracked(context)) {
      chunks.write(context, newUuid(context), ReshardPlan.chunks(context, metadata.ids()));
    }
  }

  private void removeChunks(PhaseContext context) {
    chunks.delete(context, context.data().get("uuid").asUuid());
  }

  private void commit(PhaseContext context) {
    RawDocument seen = catalog.collection(context.operation(), context.resource());
    boolean done =
        isTracked(context)
            ? seen != null && seen.get("uuid").asUuid().equals(newUuid(context))
            : seen == null;
    if (done) {
      return;
    }
    // Runs of earlier versions have not yet.
    writeChunks(context);
    RawDocument after = isTracked(context) ? collection(context, seen) : null;
    metadata
        .writer()
        .change(
            context.operation(),
            new CatalogWriter.Entry(type + ".end", context.resource(), details(context)),
            change -> {
              if (seen == null) {
                change.insert(CatalogReads.COLLECTIONS, after);
              } else if (after == null) {
                change.delete(CatalogReads.COLLECTIONS, seen);
              } else {
                change.replace(CatalogReads.COLLECTIONS, seen, after);
              }
              replaceZones(context, change);
              shown.replace(context, ReshardingOperations.State.COMMITTING, change);
            });
  }

  private static RawDocument details(PhaseContext context) {
    var out = new BsonBuilder();
    for (String field :
        List.of(
            "key",
            "uuid",
            "newUuid",
            "donors",
            "documentsCopied",
            "bytesCopied",
            "cloneMillis",
            "attempts",
            "blockedMillis")) {
      if (context.data().get(field) != null) {
        out.append(field, context.data().get(field));
      }
    }
    return out.appendInt32("numChunks", DocumentFields.documents(context.data(), "chunks").size())
        .toDocument();
  }

  private static void replaceZones(PhaseContext context, CatalogChange change) {
    change.deleteAll(
        CatalogReads.TAGS, new BsonBuilder().appendString("ns", context.resource()).toDocument());
    for (RawDocument zone : DocumentFields.documents(context.data(), "zones")) {
      var out = new BsonBuilder();
      out.startDocument("_id").appendString("ns", context.resource());
      out.append("min", zone.get("min")).end();
      out.appendString("ns", context.resource());
      out.append("min", zone.get("min")).append("max", zone.get("max"));
      change.insert(CatalogReads.TAGS, out.append("tag", zone.get("zone")).toDocument());
    }
  }

  /**
   * The document of the new collection; the settings of the balancer stay.
   *
   * @param seen null where it was not in the metadata
   */
  private RawDocument collection(PhaseContext context, RawDocument seen) {
    RawDocument changed =
        ReshardPlan.collection(context, metadata.clock().wallMillis()).toDocument();
    return seen == null
        ? changed
        : DocumentFields.merged(
            DocumentFields.without(seen, "unsplittable"),
            DocumentFields.without(changed, "noBalance"));
  }

  private void switchShards(PhaseContext context) {
    List<String> names = shards(context);
    shards.hold(context, DocumentFields.document(context.data(), ReshardEnd.BLOCKS), true);
    Set<String> holders = holders(context);
    Namespace namespace = Namespace.parse(context.resource());
    Participants silent = participants.telling(false);
    List<ChunkDocument> planned = ReshardPlan.chunks(context, metadata.ids());
    for (String shard : names) {
      if (isThere(context, shard, temporary(context))) {
        silent.rename(context, shard, temporary(context), namespace);
      } else if (!holders.contains(shard)) {
        silent.drop(context, shard, namespace);
      }
      if (isTracked(context) && holders.contains(shard)) {
        participants.setCollection(
            context,
            shard,
            ReshardPlan.collection(context, 0),
            ShardRanges.of(shard, planned),
            shard.equals(primary(context)) ? event(context) : null);
      } else {
        participants.forgetCollection(context, shard, context.resource());
      }
    }
  }

  /** What change streams are told; null for nothing. */
  private RawDocument event(PhaseContext context) {
    return type.equals(RESHARD) ? ShardKeyEvents.resharded(context) : null;
  }

  private void unblockWrites(PhaseContext context) {
    unblockWrites(context, shards(context));
  }

  private void unblockWrites(PhaseContext context, List<String> names) {
    ReshardShards.each(
        names, shard -> participants.unblock(context, List.of(shard), context.resource()));
  }

  private void forget(PhaseContext context) {
    shards.end(context, shards(context));
    shown.remove(context);
  }

  @Override
  public void undo(PhaseContext context) {
    if (context.data().get("shards") == null) {
      return;
    }
    // One may have been removed just before this run was stored; from then on it could not be.
    List<String> there = catalog.shardNames(context.operation());
    List<String> names = shards(context).stream().filter(there::contains).toList();
    try {
      unblockWrites(context, names);
    } finally {
      shown.put(context, ReshardingOperations.State.ABORTING);
      shards.end(context, names);
      ReshardShards.each(
          holders(context).stream().filter(there::contains).toList(),
          shard -> participants.telling(false).drop(context, shard, temporary(context)));
    }
    chunks.delete(context, newUuid(context));
    shown.remove(context);
  }

  @Override
  public RawDocument shown(PhaseContext context) {
    return shown.progress(context);
  }

  /** The error of a request that another one excludes. */
  static CommandException inProgress(String namespace) {
    return new CommandException(
        ErrorCode.RESHARD_COLLECTION_IN_PROGRESS,
        "Only one resharding operation is allowed to be active at a time, and one of "
            + namespace
            + " is");
  }
}
