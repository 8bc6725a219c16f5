package dev.wisent.cluster.config.ddl;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.DocumentFields;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.cluster.config.metadata.CatalogChange;
import dev.wisent.cluster.config.metadata.CatalogWriter;
import dev.wisent.cluster.config.metadata.ClusterMetadata;
import dev.wisent.cluster.coordinator.Coordinator;
import dev.wisent.cluster.coordinator.Phase;
import dev.wisent.cluster.coordinator.PhaseContext;
import dev.wisent.cluster.coordinator.ResourceLock;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.Namespace;
import dev.wisent.sharding.ChunkVersion;
import dev.wisent.sharding.CollectionDocument;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Renames a collection where it or the one that gives way to it is sharded. Both are neither read
 * nor written until all shards and the metadata agree again.
 */
final class RenameCoordinator implements Coordinator {
  static final String TYPE = "renameCollection";

  private final ClusterMetadata metadata;
  private final CatalogReads catalog;
  private final Participants participants;
  private final MetadataRemoval removal;

  RenameCoordinator(ClusterMetadata metadata, DdlParts parts) {
    this.metadata = metadata;
    this.catalog = parts.catalog();
    this.participants = parts.participants();
    this.removal = new MetadataRemoval(metadata);
  }

  @Override
  public String type() {
    return TYPE;
  }

  /** Both names are of one database. */
  @Override
  public Set<ResourceLock> locks(String resource, RawDocument arguments) {
    String database = Namespace.parse(resource).database();
    return Set.of(
        new ResourceLock(database, false),
        new ResourceLock(resource, true),
        new ResourceLock(DocumentFields.text(arguments, "to"), true));
  }

  private static Namespace from(PhaseContext context) {
    return Namespace.parse(context.resource());
  }

  private static Namespace to(PhaseContext context) {
    return Namespace.parse(DocumentFields.text(context.arguments(), "to"));
  }

  @Override
  public Optional<RawDocument> check(PhaseContext context) {
    String primary = catalog.primaryOf(context.operation(), from(context).database());
    RawDocument source = participants.collection(context, primary, from(context));
    if (source == null) {
      throw new CommandException(
          ErrorCode.NAMESPACE_NOT_FOUND, "Source collection " + from(context) + " does not exist");
    }
    if ("view".equals(DocumentFields.text(source, "type"))) {
      throw new CommandException(
          ErrorCode.COMMAND_NOT_SUPPORTED_ON_VIEW, "cannot rename view: " + from(context));
    }
    RawDocument target = participants.collection(context, primary, to(context));
    if (target != null && "view".equals(DocumentFields.text(target, "type"))) {
      throw new CommandException(
          ErrorCode.NAMESPACE_EXISTS, "a view already exists with that name: " + to(context));
    }
    if (target != null && !DocumentFields.isTrue(context.arguments(), "dropTarget")) {
      throw new CommandException(ErrorCode.NAMESPACE_EXISTS, "target namespace exists");
    }
    checkUuid(source, context.arguments().get("collectionUUID"));
    checkTarget(context, context.arguments().get("targetEpoch"));
    catalog.requireFewZones(context.operation(), context.resource());
    return Optional.empty();
  }

  /** What {@code $out} replaces is still as it was when it began. */
  private void checkTarget(PhaseContext context, RawValue epoch) {
    RawDocument seen = catalog.collection(context.operation(), to(context).full());
    if (epoch != null && (seen == null || !epoch.equals(seen.get("lastmodEpoch")))) {
      throw new CommandException(
          ErrorCode.CONFLICTING_OPERATION_IN_PROGRESS,
          "the collection %s was moved, sharded or dropped meanwhile".formatted(to(context)));
    }
  }

  private static void checkUuid(RawDocument source, RawValue expected) {
    if (expected != null && !expected.asUuid().equals(uuidOf(source))) {
      throw new CommandException(
          ErrorCode.COLLECTION_UUID_MISMATCH, "Collection UUID does not match that specified");
    }
  }

  private static UUID uuidOf(RawDocument entry) {
    return DocumentFields.document(entry, "info").get("uuid").asUuid();
  }

  @Override
  public List<Phase> phases() {
    return List.of(
        Phase.deciding("begin", this::begin),
        Phase.reversible("block", this::block),
        Phase.untilDone("renameOnShards", this::renameOnShards),
        Phase.untilDone("commit", this::commit),
        Phase.untilDone("setTables", this::setTables),
        Phase.untilDone("unblock", this::unblock),
        Phase.untilDone(MetadataRemoval.CHUNKS_PHASE, this::removeChunks));
  }

  private RawDocument begin(PhaseContext context) {
    String primary = catalog.primaryOf(context.operation(), from(context).database());
    RawDocument source = participants.collection(context, primary, from(context));
    RawDocument target = catalog.collection(context.operation(), to(context).full());
    List<String> shards = catalog.shardsEndingWith(context.operation(), primary);
    participants.requireAnswers(context, catalog.shards(context.operation(), shards));
    var version = new ChunkVersion(metadata.ids().get(), metadata.clusterTime().tick(), 0, 0);
    var out = new BsonBuilder();
    out.appendUuid("uuid", uuidOf(source)).appendDocument("version", version.toDocument());
    if (target != null) {
      out.append("targetUuid", target.get("uuid"));
    }
    return out.append("shards", DocumentFields.arrayOfTexts(shards)).toDocument();
  }

  private static List<String> shards(PhaseContext context) {
    return DocumentFields.texts(context.data(), "shards");
  }

  private static UUID uuid(PhaseContext context) {
    return context.data().get("uuid").asUuid();
  }

  private void block(PhaseContext context) {
    participants.hide(context, shards(context), from(context).full());
    participants.hide(context, shards(context), to(context).full());
  }

  private void renameOnShards(PhaseContext context) {
    List<String> shards = shards(context);
    for (String shard : shards) {
      Participants there = participants.telling(shard.equals(shards.getLast()));
      if (isThere(context, shard, from(context))) {
        there.rename(context, shard, from(context), to(context));
      } else if (!isThere(context, shard, to(context))) {
        there.drop(context, shard, to(context));
      }
      participants.forgetCollection(context, shard, from(context).full());
      participants.forgetCollection(context, shard, to(context).full());
    }
  }

  /** Whether the renamed collection has a name on a shard. */
  private boolean isThere(PhaseContext context, String shard, Namespace namespace) {
    RawDocument entry = participants.collection(context, shard, namespace);
    return entry != null && uuidOf(entry).equals(uuid(context));
  }

  private void commit(PhaseContext context) {
    RawValue replaced = context.data().get("targetUuid");
    if (replaced != null) {
      removal.remove(context, "renameCollection", to(context).full(), replaced.asUuid());
    }
    RawDocument seen = catalog.collection(context.operation(), from(context).full());
    if (seen == null) {
      return;
    }
    ChunkVersion version = ChunkVersion.of(DocumentFields.document(context.data(), "version"));
    RawDocument renamed =
        DocumentFields.merged(
            seen,
            new BsonBuilder()
                .appendString("_id", to(context).full())
                .appendObjectId("lastmodEpoch", version.epoch())
                .appendDate("lastmod", metadata.clock().wallMillis())
                .appendTimestamp("timestamp", version.timestamp())
                .toDocument());
    metadata
        .writer()
        .change(
            context.operation(),
            new CatalogWriter.Entry(TYPE, context.resource(), renamed),
            change -> {
              change.delete(CatalogReads.COLLECTIONS, seen);
              change.insert(CatalogReads.COLLECTIONS, renamed);
              renameZones(change, context.resource(), to(context).full());
            });
  }

  /** Ranges of zones go along with their collection. */
  private static void renameZones(CatalogChange change, String from, String to) {
    change.deleteAll(CatalogReads.TAGS, new BsonBuilder().appendString("ns", to).toDocument());
    RawDocument filter = new BsonBuilder().appendString("ns", from).toDocument();
    for (RawDocument tag :
        change.find(CatalogReads.TAGS, new FindRequest.Builder().filter(filter))) {
      change.delete(CatalogReads.TAGS, tag);
      var id = new BsonBuilder().appendString("ns", to).append("min", tag.get("min"));
      change.insert(
          CatalogReads.TAGS,
          DocumentFields.merged(
              tag,
              new BsonBuilder()
                  .appendDocument("_id", id.toDocument())
                  .appendString("ns", to)
                  .toDocument()));
    }
  }

  private void setTables(PhaseContext context) {
    RawDocument found = catalog.collection(context.operation(), to(context).full());
    if (found != null) {
      CollectionDocument collection = CollectionDocument.of(found);
      Set<String> owners = catalog.participants(context.operation(), collection);
      for (String shard : shards(context)) {
        // One that owns nothing may have documents left that it can delete only with a table.
        if (owners.contains(shard) || isThere(context, shard, to(context))) {
          participants.setCollection(
              context, shard, collection, catalog.ranges(context.operation(), collection, shard));
        }
      }
    }
  }

  /** Those of the collection that gave way. */
  private void removeChunks(PhaseContext context) {
    RawValue replaced = context.data().get("targetUuid");
    if (replaced != null) {
      removal.removeChunks(context, replaced.asUuid());
    }
  }

  private void unblock(PhaseContext context) {
    participants.unblock(context, shards(context), from(context).full());
    participants.unblock(context, shards(context), to(context).full());
  }

  @Override
  public void undo(PhaseContext context) {
    unblock(context);
  }
}
