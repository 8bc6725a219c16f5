package dev.wisent.cluster.config.ddl;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.DocumentFields;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.config.metadata.ShardCaller;
import dev.wisent.cluster.coordinator.PhaseContext;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.sharding.CollectionDocument;
import dev.wisent.sharding.DatabaseVersion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Consumer;

/** What coordinators ask of shards. All of it can be repeated. */
final class Participants {
  private static final String ADMIN = "admin";
  private static final RawDocument PING = RawDocument.parse("{ping: 1}");

  /** How long a primary is waited for before a change begins. */
  private static final Duration PRIMARY_MAX = Duration.ofSeconds(10);

  private final ShardCaller shards;
  private final boolean silent;

  Participants(ShardCaller shards) {
    this(shards, false);
  }

  private Participants(ShardCaller shards, boolean silent) {
    this.shards = shards;
    this.silent = silent;
  }

  /** The same, whose writes are events of change streams or not: one shard tells for all. */
  Participants telling(boolean tells) {
    return tells ? this : new Participants(shards, true);
  }

  /**
   * Sends a command that writes and returns when a majority has it. From then on the shard refuses
   * all that was sent to it before in the name of this run.
   */
  RawDocument write(
      PhaseContext context, String shard, String database, Consumer<BsonBuilder> command) {
    return shards.run(
        context.operation(), shard, database, () -> numbered(context, command).toDocument());
  }

  private BsonBuilder numbered(PhaseContext context, Consumer<BsonBuilder> command) {
    var out = new BsonBuilder();
    command.accept(out);
    out.startDocument("writeConcern").appendString("w", "majority").end();
    out.startDocument("routing");
    out.startDocument("coordinator").appendUuid("id", context.id());
    context.calls().next().appendFields(out).end();
    if (silent) {
      out.appendBoolean("silent", true);
    }
    return out.end();
  }

  /** Has shards refuse what was sent to them before in the name of this run. */
  void fence(PhaseContext context, Collection<String> names) {
    for (String shard : names) {
      own(context, shard, "_shardsvrFenceCoordinator", context.resource(), out -> {});
    }
  }

  RawDocument read(
      PhaseContext context, String shard, String database, Consumer<BsonBuilder> command) {
    return read(context.operation(), shard, database, command);
  }

  private RawDocument read(
      OperationContext operation, String shard, String database, Consumer<BsonBuilder> command) {
    var out = new BsonBuilder();
    command.accept(out);
    return shards.run(operation, shard, database, out.toDocument());
  }

  /** The replies of those shards that answer soon. */
  Map<String, RawDocument> ask(
      PhaseContext context, List<RawDocument> asked, RawDocument command, Duration primaryMax) {
    return shards.ask(context.operation(), asked, ADMIN, command, primaryMax);
  }

  /**
   * Fails unless all of some shards answer: nothing is begun that would have to wait for one that
   * is down.
   */
  void requireAnswers(PhaseContext context, List<RawDocument> asked) {
    var silent = new TreeSet<>(CatalogReads.names(asked));
    silent.removeAll(answering(context, asked));
    if (!silent.isEmpty()) {
      throw new CommandException(
          ErrorCode.FAILED_TO_SATISFY_READ_PREFERENCE,
          "%s cannot be changed now: no primary answers of the shards %s"
              .formatted(context.resource(), silent));
    }
  }

  /** The names of those shards whose primaries answer soon. */
  List<String> answering(PhaseContext context, List<RawDocument> asked) {
    return List.copyOf(ask(context, asked, PING, PRIMARY_MAX).keySet());
  }

  /** Has writers of a collection or database wait. */
  void block(PhaseContext context, Collection<String> names, String resource) {
    for (String shard : names) {
      own(context, shard, "_shardsvrBlockWrites", resource, out -> {});
    }
  }

  /** Has readers that come through routers wait as well. */
  void hide(PhaseContext context, Collection<String> names, String resource) {
    for (String shard : names) {
      own(
          context,
          shard,
          "_shardsvrBlockWrites",
          resource,
          out -> out.appendBoolean("reads", true));
    }
  }

  void unblock(PhaseContext context, Collection<String> names, String resource) {
    for (String shard : names) {
      own(context, shard, "_shardsvrUnblockWrites", resource, out -> {});
    }
  }

  private void own(
      PhaseContext context,
      String shard,
      String name,
      String resource,
      Consumer<BsonBuilder> arguments) {
    write(
        context,
        shard,
        ADMIN,
        out -> {
          out.appendString(name, resource).appendUuid("id", context.id());
          arguments.accept(out);
        });
  }

  /**
   * Makes a shard the primary of a database.
   *
   * @param version null where it is so no longer
   */
  void setDatabase(PhaseContext context, String shard, String database, DatabaseVersion version) {
    own(
        context,
        shard,
        "_shardsvrSetDatabase",
        database,
        out -> {
          if (version == null) {
            out.appendNull("version");
          } else {
            out.appendDocument("version", version.toDocument());
          }
        });
  }

  /**
   * Has a shard copy collections of a database from another one.
   *
   * @param donor as {@code config.shards} has it
   * @param collections as {@link #collections} gives them, with their indexes
   */
  void cloneDatabase(
      PhaseContext context, String shard, String donor, List<RawDocument> collections) {
    own(
        context,
        shard,
        "_shardsvrCloneDatabase",
        context.resource(),
        out ->
            out.appendString("from", donor)
                .append("collections", DocumentFields.arrayOf(collections)));
  }

  void dropClone(PhaseContext context, String shard, List<RawDocument> collections) {
    own(
        context,
        shard,
        "_shardsvrDropClone",
        context.resource(),
        out -> out.append("collections", DocumentFields.arrayOf(collections)));
  }

  void createCollection(
      PhaseContext context,
      String shard,
      String namespace,
      UUID uuid,
      RawDocument options,
      List<RawDocument> indexes) {
    own(
        context,
        shard,
        "_shardsvrCreateCollection",
        namespace,
        out -> {
          out.appendUuid("uuid", uuid).appendDocument("options", options);
          out.append("indexes", DocumentFields.arrayOf(indexes));
        });
  }

  /** Tells a shard what it owns of a collection. */
  void setCollection(
      PhaseContext context, String shard, CollectionDocument collection, ShardRanges ranges) {
    setCollection(context, shard, collection, ranges, null);
  }

  /**
   * The same, with what change streams are told of it.
   *
   * @param event {@code operationType} and {@code operationDescription}; null for nothing
   */
  void setCollection(
      PhaseContext context,
      String shard,
      CollectionDocument collection,
      ShardRanges ranges,
      RawDocument event) {
    own(
        context,
        shard,
        "_shardsvrSetCollection",
        collection.namespace().full(),
        out -> {
          ranges.appendOwned(collection, out);
          if (event != null) {
            out.appendDocument("event", event);
          }
        });
  }

  void forgetCollection(PhaseContext context, String shard, String namespace) {
    own(context, shard, "_shardsvrForgetCollection", namespace, out -> {});
  }

  /** The entry of {@code listCollections}; null where there is none. */
  RawDocument collection(PhaseContext context, String shard, Namespace namespace) {
    RawDocument filter =
        new BsonBuilder().appendString("name", namespace.collection()).toDocument();
    List<RawDocument> found = collections(context.operation(), shard, namespace.database(), filter);
    return found.isEmpty() ? null : found.getFirst();
  }

  /** The entries of {@code listCollections} that a filter matches. */
  List<RawDocument> collections(
      OperationContext operation, String shard, String database, RawDocument filter) {
    return readAll(
        operation,
        shard,
        database,
        out -> out.appendInt32("listCollections", 1).appendDocument("filter", filter));
  }

  List<RawDocument> indexes(PhaseContext context, String shard, Namespace namespace) {
    return indexes(context.operation(), shard, namespace);
  }

  List<RawDocument> indexes(OperationContext operation, String shard, Namespace namespace) {
    return readAll(
        operation,
        shard,
        namespace.database(),
        out -> out.appendString("listIndexes", namespace.collection()));
  }

  private static List<RawDocument> firstBatch(RawDocument reply) {
    return DocumentFields.documents(DocumentFields.document(reply, "cursor"), "firstBatch");
  }

  List<String> indexNames(PhaseContext context, String shard, Namespace namespace) {
    return indexes(context, shard, namespace).stream()
        .map(index -> DocumentFields.text(index, "name"))
        .toList();
  }

  /** Drops those of some indexes that are there. */
  void dropIndexes(PhaseContext context, String shard, Namespace namespace, List<String> names) {
    List<String> there = new ArrayList<>(indexNames(context, shard, namespace));
    there.retainAll(names);
    if (!there.isEmpty()) {
      write(
          context,
          shard,
          namespace.database(),
          out ->
              out.appendString("dropIndexes", namespace.collection())
                  .append("index", DocumentFields.arrayOfTexts(there)));
    }
  }

  /** The indexes that are not there by themselves. */
  static List<RawDocument> withoutId(List<RawDocument> indexes) {
    return indexes.stream()
        .filter(index -> !"_id_".equals(DocumentFields.text(index, "name")))
        .toList();
  }

  /** All results of a command with a cursor. */
  List<RawDocument> readAll(
      OperationContext operation, String shard, String database, Consumer<BsonBuilder> command) {
    RawDocument reply = read(operation, shard, database, command);
    var found = new ArrayList<>(firstBatch(reply));
    RawDocument cursor = DocumentFields.document(reply, "cursor");
    while (DocumentFields.number(cursor, "id") != 0) {
      long id = DocumentFields.number(cursor, "id");
      String collection = Namespace.parse(DocumentFields.text(cursor, "ns")).collection();
      reply =
          read(
              operation,
              shard,
              database,
              out -> out.appendInt64("getMore", id).appendString("collection", collection));
      cursor = DocumentFields.document(reply, "cursor");
      found.addAll(DocumentFields.documents(cursor, "nextBatch"));
    }
    return found;
  }

  /** Whether a shard has a document that matches. */
  boolean has(PhaseContext context, String shard, Namespace namespace, RawDocument filter) {
    RawDocument reply =
        read(
            context,
            shard,
            namespace.database(),
            out -> {
              out.appendString("find", namespace.collection()).appendDocument("filter", filter);
              out.appendInt32("limit", 1).appendBoolean("singleBatch", true);
            });
    return !firstBatch(reply).isEmpty();
  }

  /** How many documents a shard has of a collection. */
  long count(OperationContext operation, String shard, Namespace namespace) {
    RawDocument reply =
        read(
            operation,
            shard,
            namespace.database(),
            out -> out.appendString("count", namespace.collection()));
    return DocumentFields.number(reply, "n");
  }

  /** Renames a collection; another one of the new name gives way. */
  void rename(PhaseContext context, String shard, Namespace from, Namespace to) {
    write(
        context,
        shard,
        ADMIN,
        out ->
            out.appendString("renameCollection", from.full())
                .appendString("to", to.full())
                .appendBoolean("dropTarget", true));
  }

  /** Drops a collection, if it is there. */
  void drop(PhaseContext context, String shard, Namespace namespace) {
    try {
      write(
          context,
          shard,
          namespace.database(),
          out -> out.appendString("drop", namespace.collection()));
    } catch (CommandException e) {
      if (e.code() != ErrorCode.NAMESPACE_NOT_FOUND) {
        throw e;
      }
    }
  }
}
