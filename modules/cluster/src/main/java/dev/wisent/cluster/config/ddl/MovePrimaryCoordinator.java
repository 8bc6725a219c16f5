package dev.wisent.cluster.config.ddl;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.DocumentFields;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.cluster.config.metadata.CatalogWriter;
import dev.wisent.cluster.config.metadata.ClusterMetadata;
import dev.wisent.cluster.coordinator.Coordinator;
import dev.wisent.cluster.coordinator.Phase;
import dev.wisent.cluster.coordinator.PhaseContext;
import dev.wisent.cluster.coordinator.ResourceLock;
import dev.wisent.database.ownership.ShardTables;
import dev.wisent.operation.Namespace;
import dev.wisent.sharding.CollectionDocument;
import dev.wisent.sharding.DatabaseVersion;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Makes another shard the primary of a database, with all its unsharded collections. Their writers
 * wait from before they are copied. From the commit until the old primary knows of it both may be
 * read, so that writers of the new one wait until then: no reader misses a write.
 */
final class MovePrimaryCoordinator implements Coordinator {
  static final String TYPE = "movePrimary";

  private static final String SYSTEM_PREFIX = "system.";
  private static final String STORED_FUNCTIONS = "system.js";

  private final ClusterMetadata metadata;
  private final CatalogReads catalog;
  private final Participants participants;

  MovePrimaryCoordinator(ClusterMetadata metadata, DdlParts parts) {
    this.metadata = metadata;
    this.catalog = parts.catalog();
    this.participants = parts.participants();
  }

  @Override
  public String type() {
    return TYPE;
  }

  @Override
  public Set<ResourceLock> locks(String resource, RawDocument arguments) {
    return ResourceLock.ofDatabase(resource);
  }

  @Override
  public Optional<RawDocument> check(PhaseContext context) {
    if (catalog.primaryOf(context.operation(), context.resource()).equals(to(context))) {
      return Optional.of(RawDocument.EMPTY);
    }
    catalog.checkTakesData(context.operation(), to(context));
    return Optional.empty();
  }

  @Override
  public List<Phase> phases() {
    return List.of(
        Phase.deciding("begin", this::begin),
        Phase.reversible("blockDonor", this::blockDonor),
        Phase.deciding("plan", this::plan),
        Phase.reversible("clone", this::copy),
        Phase.reversible("tellRecipient", this::tellRecipient),
        Phase.untilDone("commit", this::commit),
        Phase.untilDone("tellDonor", this::tellDonor),
        Phase.untilDone("unblockRecipient", this::unblockRecipient),
        Phase.untilDone("dropOnDonor", this::dropOnDonor),
        Phase.untilDone("unblockDonor", this::unblockDonor));
  }

  private RawDocument begin(PhaseContext context) {
    RawDocument database = catalog.requireDatabase(context.operation(), context.resource());
    List<String> both = List.of(DocumentFields.text(database, "primary"), to(context));
    participants.requireAnswers(context, catalog.shards(context.operation(), both));
    return new BsonBuilder()
        .append("from", database.get("primary"))
        .appendDocument("version", CatalogReads.versionOf(database).next().toDocument())
        .toDocument();
  }

  private static String from(PhaseContext context) {
    return DocumentFields.text(context.data(), "from");
  }

  private static String to(PhaseContext context) {
    return DocumentFields.text(context.arguments(), "to");
  }

  private static DatabaseVersion version(PhaseContext context) {
    return CatalogReads.versionOf(context.data());
  }

  private static List<RawDocument> collections(PhaseContext context) {
    return DocumentFields.documents(context.data(), "collections");
  }

  private static String unsharded(PhaseContext context) {
    return ShardTables.unshardedOf(context.resource());
  }

  private void blockDonor(PhaseContext context) {
    participants.block(context, List.of(from(context)), unsharded(context));
  }

  /** What is copied: unsharded collections with their indexes, then views. */
  private RawDocument plan(PhaseContext context) {
    var sharded = new ArrayList<String>();
    for (CollectionDocument each : catalog.collectionsOf(context.operation(), context.resource())) {
      sharded.add(each.namespace().collection());
    }
    var copied = new ArrayList<RawDocument>();
    for (RawDocument entry : entries(context, from(context))) {
      String name = DocumentFields.text(entry, "name");
      boolean system = name.startsWith(SYSTEM_PREFIX) && !name.equals(STORED_FUNCTIONS);
      if (!system && !sharded.contains(name)) {
        copied.add(withIndexes(context, entry));
      }
    }
    refuseExisting(context, copied);
    return new BsonBuilder()
        .append("collections", DocumentFields.arrayOf(copied))
        .append("sharded", DocumentFields.arrayOfTexts(sharded))
        .toDocument();
  }

  private List<RawDocument> entries(PhaseContext context, String shard) {
    return participants.collections(
        context.operation(), shard, context.resource(), RawDocument.EMPTY);
  }

  private RawDocument withIndexes(PhaseContext context, RawDocument entry) {
    if ("view".equals(DocumentFields.text(entry, "type"))) {
      return entry;
    }
    var namespace = new Namespace(context.resource(), DocumentFields.text(entry, "name"));
    List<RawDocument> indexes =
        Participants.withoutId(participants.indexes(context, from(context), namespace));
    return DocumentFields.with(entry, "indexes", DocumentFields.arrayOf(indexes));
  }

  /** What an attempt of this run has copied is dropped before it begins. */
  private void refuseExisting(PhaseContext context, List<RawDocument> copied) {
    List<String> there =
        entries(context, to(context)).stream()
            .map(entry -> DocumentFields.text(entry, "name"))
            .toList();
    for (RawDocument entry : copied) {
      String name = DocumentFields.text(entry, "name");
      if (there.contains(name)) {
        throw new CommandException(
            ErrorCode.NAMESPACE_EXISTS,
            "movePrimary of the database %s to shard %s failed: that shard has a collection %s of its own"
                .formatted(context.resource(), to(context), name));
      }
    }
  }

  private void copy(PhaseContext context) {
    RawDocument donor = metadata.store().findById(context.operation(), "shards", from(context));
    participants.cloneDatabase(
        context, to(context), DocumentFields.text(donor, "host"), collections(context));
  }

  /** The primary shard of a database knows all its sharded collections. */
  private void tellRecipient(PhaseContext context) {
    for (CollectionDocument each : catalog.collectionsOf(context.operation(), context.resource())) {
      Namespace namespace = each.namespace();
      participants
          .telling(false)
          .createCollection(
              context,
              to(context),
              namespace.full(),
              each.uuid(),
              DocumentFields.document(
                  participants.collection(context, from(context), namespace), "options"),
              Participants.withoutId(participants.indexes(context, from(context), namespace)));
      participants.setCollection(
          context, to(context), each, catalog.ranges(context.operation(), each, to(context)));
    }
    participants.block(context, List.of(to(context)), unsharded(context));
    participants.setDatabase(context, to(context), context.resource(), version(context));
  }

  private void commit(PhaseContext context) {
    RawDocument seen = catalog.requireDatabase(context.operation(), context.resource());
    if (DocumentFields.text(seen, "primary").equals(to(context))) {
      return;
    }
    RawDocument after =
        DocumentFields.with(
            DocumentFields.with(seen, "primary", RawValue.ofString(to(context))),
            "version",
            RawValue.ofDocument(version(context).toDocument()));
    metadata
        .writer()
        .change(
            context.operation(),
            new CatalogWriter.Entry(TYPE, context.resource(), after),
            change -> change.replace(CatalogReads.DATABASES, seen, after));
  }

  private void tellDonor(PhaseContext context) {
    participants.setDatabase(context, from(context), context.resource(), null);
  }

  private void unblockRecipient(PhaseContext context) {
    participants.unblock(context, List.of(to(context)), unsharded(context));
  }

  private void dropOnDonor(PhaseContext context) {
    participants.dropClone(context, from(context), collections(context));
  }

  private void unblockDonor(PhaseContext context) {
    participants.unblock(context, List.of(from(context)), unsharded(context));
  }

  @Override
  public void undo(PhaseContext context) {
    if (from(context) == null) {
      return;
    }
    if (context.data().get("collections") != null) {
      participants.setDatabase(context, to(context), context.resource(), null);
      participants.dropClone(context, to(context), collections(context));
      unblockRecipient(context);
    }
    unblockDonor(context);
  }
}
