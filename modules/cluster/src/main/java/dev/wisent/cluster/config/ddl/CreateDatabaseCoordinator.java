package dev.wisent.cluster.config.ddl;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.DocumentFields;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.config.metadata.CatalogWriter;
import dev.wisent.cluster.config.metadata.ClusterMetadata;
import dev.wisent.cluster.config.metadata.ShardPrimaries;
import dev.wisent.cluster.coordinator.Coordinator;
import dev.wisent.cluster.coordinator.Phase;
import dev.wisent.cluster.coordinator.PhaseContext;
import dev.wisent.cluster.coordinator.ResourceLock;
import dev.wisent.sharding.DatabaseVersion;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Creates a database: chooses its primary shard, which learns of it before routers do. */
final class CreateDatabaseCoordinator implements Coordinator {
  static final String TYPE = "createDatabase";

  /** How long a shard that has just answered may take. */
  private static final long TELL_MILLIS_MAX = 5_000;

  /** A shard that has just been added is known by then. */
  private static final Duration PRIMARY_MAX = Duration.ofMillis(500);

  private static final RawDocument LIST_DATABASES = RawDocument.parse("{listDatabases: 1}");

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
        Phase.deciding("tellShard", this::tellShard),
        Phase.untilDone("commit", this::commit));
  }

  /** The shards that may become the primary, the one with the least data first. */
  private RawDocument choose(PhaseContext context) {
    String wanted = DocumentFields.text(context.arguments(), "primaryShard");
    return new BsonBuilder()
        .append(
            "candidates",
            DocumentFields.arrayOfTexts(wanted == null ? bySize(context) : List.of(wanted)))
        .toDocument();
  }

  /** A shard that is down gets no database, and does not keep others from getting it. */
  private List<String> bySize(PhaseContext context) {
    List<RawDocument> staying = new ShardsWithRoom(catalog, participants, context).require();
    var sizes = new HashMap<String, Long>();
    participants
        .ask(context, staying, LIST_DATABASES, PRIMARY_MAX)
        .forEach((shard, reply) -> sizes.put(shard, DocumentFields.number(reply, "totalSize")));
    List<String> names = CatalogReads.names(staying);
    return sizes.isEmpty()
        ? names
        : names.stream()
            .filter(sizes::containsKey)
            .sorted(Comparator.comparing(sizes::get))
            .toList();
  }

  private static List<String> candidates(PhaseContext context) {
    return DocumentFields.texts(context.data(), "candidates");
  }

  /** The first that answers. What another one may have heard is no primary's: its version ends. */
  private RawDocument tellShard(PhaseContext context) {
    CommandException failure = null;
    for (String shard : candidates(context)) {
      var version =
          new DatabaseVersion(metadata.random().nextUuid(), metadata.clusterTime().tick(), 1);
      try {
        participants.setDatabase(
            context.within(TELL_MILLIS_MAX), shard, context.resource(), version);
        return new BsonBuilder()
            .appendString("primary", shard)
            .appendDocument("version", version.toDocument())
            .toDocument();
      } catch (CommandException e) {
        context.operation().checkNow();
        if (!ShardPrimaries.mayPass(e.code())) {
          throw e;
        }
        failure = e;
      }
    }
    throw new CommandException(
        ErrorCode.FAILED_TO_SATISFY_READ_PREFERENCE,
        "No shard can become the primary of the database %s now :: caused by :: %s"
            .formatted(context.resource(), failure.getMessage()));
  }

  private void commit(PhaseContext context) {
    if (catalog.database(context.operation(), context.resource()) != null) {
      return;
    }
    boolean sharded = DocumentFields.isTrue(context.arguments(), "enableSharding");
    RawDocument document =
        new BsonBuilder()
            .appendString("_id", context.resource())
            .append("primary", context.data().get("primary"))
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

  /** A shard that cannot be reached keeps a version that nothing refers to. */
  @Override
  public void undo(PhaseContext context) {
    for (String shard : candidates(context)) {
      try {
        participants.setDatabase(context.within(TELL_MILLIS_MAX), shard, context.resource(), null);
      } catch (CommandException e) {
        context.operation().checkNow();
        if (!ShardPrimaries.mayPass(e.code())) {
          throw e;
        }
      }
    }
  }
}
