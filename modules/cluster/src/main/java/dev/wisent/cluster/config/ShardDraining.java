package dev.wisent.cluster.config;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.DocumentFields;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.cluster.config.metadata.CatalogChange;
import dev.wisent.cluster.config.metadata.CatalogWriter;
import dev.wisent.cluster.config.metadata.ClusterMetadata;
import dev.wisent.cluster.config.metadata.KeptOutcomes;
import dev.wisent.cluster.config.metadata.MovedCollections;
import dev.wisent.cluster.config.metadata.ShardPrimaries;
import dev.wisent.cluster.config.metadata.UnbalancedCollections;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import java.util.List;
import java.util.UUID;

/**
 * A shard that is to go: it is marked, the balancer empties it, and it may go when nothing is left.
 */
final class ShardDraining {
  static final String SHARDS = "shards";

  private static final String NOTE =
      "the balancer moves these collections and then these databases; drop them, or use"
          + " moveCollection and movePrimary, to do so earlier";

  /** So many names are in a note. */
  private static final int NAMES_MAX = 20;

  private final ClusterMetadata metadata;

  /** A request, and the shard that it is about as it was seen. */
  record Asked(CommandRequest request, String client, RawDocument shard) {
    String name() {
      return shard.get("_id").asString();
    }
  }

  ShardDraining(ClusterMetadata metadata) {
    this.metadata = metadata;
  }

  /** The shard of a request; fails with ShardNotFound. */
  Asked asked(CommandRequest request, CommandContext context, String name) {
    RawDocument shard = metadata.store().findById(context.operation(), SHARDS, name);
    if (shard == null) {
      throw ShardPrimaries.shardNotFound(name);
    }
    return new Asked(request, context.client().remoteAddress(), shard);
  }

  /**
   * Begins to drain a shard, or tells what it still has.
   *
   * @return false, with nothing told, where nothing is left
   */
  boolean tell(OperationContext operation, Asked asked, BsonBuilder reply) {
    if (!DocumentFields.isTrue(asked.shard, "draining")) {
      reply.appendAll(start(operation, asked));
      return true;
    }
    String name = asked.name();
    long chunks = count(operation, "chunks", "shard", name);
    long databases = count(operation, "databases", "primary", name);
    if (chunks + databases == 0) {
      return false;
    }
    List<String> collections = unshardedCollections(operation, name);
    reply.appendString("msg", "draining ongoing").appendString("state", "ongoing");
    reply.startDocument("remaining");
    // An unsharded collection has one chunk, of which sharding knows nothing.
    reply.appendInt64("chunks", chunks - collections.size());
    reply.appendInt64("dbs", databases);
    reply.appendInt64("jumboChunks", jumboChunks(operation, name)).end();
    appendUnsharded(operation, name, collections, reply);
    return true;
  }

  private RawDocument start(OperationContext operation, Asked asked) {
    var told = new BsonBuilder().appendString("msg", "draining started successfully");
    told.appendString("state", "started").appendString("shard", asked.name());
    appendUnsharded(operation, asked.name(), unshardedCollections(operation, asked.name()), told);
    RawDocument result = told.toDocument();
    RawDocument draining = DocumentFields.with(asked.shard, "draining", RawValue.TRUE);
    metadata
        .writer()
        .change(
            operation,
            entry("removeShard.start", asked, result),
            change -> {
              checkNotNeeded(change, asked.shard);
              change.replace(SHARDS, asked.shard, draining);
            });
    return result;
  }

  CatalogWriter.Entry entry(String what, Asked asked, RawDocument result) {
    return new CatalogWriter.Entry(
        what,
        "",
        new BsonBuilder().append("shard", asked.shard.get("_id")).toDocument(),
        asked.client,
        KeptOutcomes.of(asked.request, metadata.clock().wallMillis(), result));
  }

  private static void checkNotNeeded(CatalogChange change, RawDocument shard) {
    RawDocument staying = RawDocument.parse("{draining: {$ne: true}}");
    if (change.find(SHARDS, new FindRequest.Builder().filter(staying).limit(2)).size() < 2) {
      throw new CommandException(
          ErrorCode.ILLEGAL_OPERATION,
          "Operation not allowed because it would remove the last shard");
    }
    for (String zone : DocumentFields.texts(shard, "tags")) {
      if (ZoneCommands.isRequired(change, shard, zone)) {
        throw new CommandException(
            ErrorCode.ZONE_STILL_IN_USE,
            "Shard %s is the only one of the zone %s, which has ranges"
                .formatted(shard.get("_id").asString(), zone));
      }
    }
  }

  /** What is told when a shard has gone. */
  static RawDocument completed(String name) {
    return new BsonBuilder()
        .appendString("msg", "removeshard completed successfully")
        .appendString("state", "completed")
        .appendString("shard", name)
        .toDocument();
  }

  /**
   * Deletes a shard in a change, unless it has got something or takes part in something.
   *
   * @param own the coordinator that does so; null for none
   */
  static void delete(CatalogChange change, RawDocument shard, UUID own) {
    String name = shard.get("_id").asString();
    if (isConcerned(change, name, own)
        || change.findOne("chunks", filter("shard", name)) != null
        || change.findOne("databases", filter("primary", name)) != null) {
      throw new CommandException(
          ErrorCode.CONFLICTING_OPERATION_IN_PROGRESS,
          "Shard " + name + " gets chunks or databases, or a coordinator is running");
    }
    change.delete(SHARDS, shard);
  }

  /** Migrations between other shards do not matter. */
  private static boolean isConcerned(CatalogChange change, String shard, UUID own) {
    return change.find(CoordinatorCollection.NAME, new FindRequest.Builder()).stream()
        .filter(run -> !run.get("id").asUuid().equals(own))
        .anyMatch(run -> isConcerned(run, shard));
  }

  private static boolean isConcerned(RawDocument run, String shard) {
    RawDocument arguments = DocumentFields.document(run, "arguments");
    return arguments.get("toShard") == null
        || shard.equals(DocumentFields.text(arguments, "toShard"))
        || shard.equals(DocumentFields.text(arguments, "fromShard"))
        // A collection that has moved away leaves the shard only at the end.
        || DocumentFields.texts(DocumentFields.document(run, "data"), "shards").contains(shard);
  }

  private static RawDocument filter(String field, String value) {
    return new BsonBuilder().appendString(field, value).toDocument();
  }

  private long count(OperationContext operation, String collection, String field, String shard) {
    return metadata.store().count(operation, collection, filter(field, shard));
  }

  private long jumboChunks(OperationContext operation, String shard) {
    RawDocument jumbo =
        new BsonBuilder().appendString("shard", shard).appendBoolean("jumbo", true).toDocument();
    return metadata.store().count(operation, "chunks", jumbo);
  }

  /** Those that were moved to a shard. */
  private List<String> unshardedCollections(OperationContext operation, String shard) {
    return MovedCollections.on(operation, metadata.store(), shard).stream()
        .map(Namespace::full)
        .toList();
  }

  private void appendUnsharded(
      OperationContext operation, String shard, List<String> collections, BsonBuilder reply) {
    List<String> databases =
        metadata.store().find(operation, "databases", filter("primary", shard)).stream()
            .map(database -> database.get("_id").asString())
            .toList();
    List<String> unbalanced = UnbalancedCollections.on(operation, metadata.store(), shard);
    reply.appendString("note", unbalanced.isEmpty() ? NOTE : NOTE + notBalanced(unbalanced));
    reply.append("collectionsToMove", DocumentFields.arrayOfTexts(collections));
    reply.append("dbsToMove", DocumentFields.arrayOfTexts(databases));
    if (!unbalanced.isEmpty()) {
      reply.append("collectionsNotBalanced", DocumentFields.arrayOfTexts(unbalanced));
    }
  }

  private static String notBalanced(List<String> collections) {
    List<String> some = collections.subList(0, Math.min(collections.size(), NAMES_MAX));
    return ". The chunks of collections that are not balanced stay, and the shard with them, until"
        + " sh.enableBalancing and sh.enableMigrations allow them to move: "
        + String.join(", ", some)
        + (some.size() < collections.size() ? ", ..." : "");
  }
}
