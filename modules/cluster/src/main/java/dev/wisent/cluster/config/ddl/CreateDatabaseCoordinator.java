package dev.wisent.cluster.config.ddl;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.config.metadata.CatalogWriter;
import dev.wisent.cluster.config.metadata.ClusterMetadata;
import dev.wisent.cluster.config.metadata.DocumentFields;
import dev.wisent.cluster.coordinator.Coordinator;
import dev.wisent.cluster.coordinator.Phase;
import dev.wisent.cluster.coordinator.PhaseContext;
import dev.wisent.cluster.coordinator.ResourceLock;
import dev.wisent.sharding.DatabaseVersion;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Creates a database: chooses its primary shard, which learns of it before routers do. */
final class CreateDatabaseCoordinator implements Coordinator {
  static final String TYPE = "createDatabase";

  private final ClusterMetadata metadata;
  private final CatalogReads catalog;
  private final Participants participants;

  CreateDatabaseCoordinator(ClusterMetadata metadata, DdlParts parts) {
    this.metadata = metadata;
    this.catalog = parts.catalog();
    this.participants = parts.participants();
  }

  @Override
  public String type() {
    return TYPE;
  }

  /** Also against a name that differs in case only. */
  @Override
  public Set<ResourceLock> locks(String resource, RawDocument arguments) {
    return Set.of(
        new ResourceLock(resource, true),
        new ResourceLock("/" + resource.toLowerCase(Locale.ROOT), true));
  }

  @Override
  public Optional<RawDocument> check(PhaseContext context) {
    String name = context.resource();
    String wanted = DocumentFields.text(context.arguments(), "primaryShard");
    for (RawDocument database : catalog.databases(context.operation())) {
      String existing = database.get("_id").asString();
      if (existing.equals(name)) {
        checkPrimary(database, wanted);
        return Optional.of(RawDocument.EMPTY);
      }
      if (existing.equalsIgnoreCase(name)) {
        throw new CommandException(
            ErrorCode.DATABASE_DIFFER_CASE,
            "can't have 2 databases that just differ on case  have: %s want to add: %s"
                .formatted(existing, name));
      }
    }
    if (wanted != null) {
      catalog.checkTakesData(context.operation(), wanted);
    }
    return Optional.empty();
  }

  private static void checkPrimary(RawDocument database, String wanted) {
    String primary = DocumentFields.text(database, "primary");
    if (wanted != null && !wanted.equals(primary)) {
      throw new CommandException(
          ErrorCode.NAMESPACE_EXISTS,
          "Database %s already exists with primary shard %s, and not %s"
              .formatted(database.get("_id").asString(), primary, wanted));
    }
  }

  @Override
  public List<Phase> phases() {
    return List.of(
        Phase.deciding("choose", this::choose),
        Phase.reversible("tellShard", this::tellShard),
        Phase.untilDone("commit", this::commit));
  }

  private RawDocument choose(PhaseContext context) {
    String wanted = DocumentFields.text(context.arguments(), "primaryShard");
    String shard = wanted == null ? smallest(context) : wanted;
    var version =
        new DatabaseVersion(metadata.random().nextUuid(), metadata.clusterTime().tick(), 1);
    return new BsonBuilder()
        .appendString("primary", shard)
        .appendDocument("version", version.toDocument())
        .toDocument();
  }

  /** The shard with the least data. */
  private String smallest(PhaseContext context) {
    String found = null;
    long least = Long.MAX_VALUE;
    for (String shard : catalog.stayingShards(context.operation())) {
      RawDocument reply =
          participants.read(context, shard, "admin", out -> out.appendInt32("listDatabases", 1));
      long size = DocumentFields.number(reply, "totalSize");
      if (size < least) {
        least = size;
        found = shard;
      }
    }
    return found;
  }

  private static String primary(PhaseContext context) {
    return DocumentFields.text(context.data(), "primary");
  }

  private void tellShard(PhaseContext context) {
    participants.setDatabase(
        context, primary(context), context.resource(), CatalogReads.versionOf(context.data()));
  }

  private void commit(PhaseContext context) {
    if (catalog.database(context.operation(), context.resource()) != null) {
      return;
    }
    boolean sharded = DocumentFields.isTrue(context.arguments(), "enableSharding");
    RawDocument document =
        new BsonBuilder()
            .appendString("_id", context.resource())
            .appendString("primary", primary(context))
            .appendBoolean("partitioned", sharded)
            .append("version", context.data().get("version"))
            .toDocument();
    metadata
        .writer()
        .change(
            context.operation(),
            new CatalogWriter.Entry(TYPE, context.resource(), document),
            change -> change.insert(CatalogReads.DATABASES, document));
  }

  @Override
  public void undo(PhaseContext context) {
    if (primary(context) != null) {
      participants.setDatabase(context, primary(context), context.resource(), null);
    }
  }
}
