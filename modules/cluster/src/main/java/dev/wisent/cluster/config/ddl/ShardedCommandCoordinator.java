package dev.wisent.cluster.config.ddl;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.ValueText;
import dev.wisent.cluster.config.metadata.DocumentFields;
import dev.wisent.cluster.coordinator.Coordinator;
import dev.wisent.cluster.coordinator.Phase;
import dev.wisent.cluster.coordinator.PhaseContext;
import dev.wisent.cluster.coordinator.ResourceLock;
import dev.wisent.operation.Namespace;
import dev.wisent.sharding.CollectionDocument;
import dev.wisent.sharding.ShardKeyPattern;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Runs a command that changes a collection or its indexes on all shards that have chunks of it, and
 * on the primary of its database. The arguments are those of the client.
 */
final class ShardedCommandCoordinator implements Coordinator {
  static final String CREATE_INDEXES = "createIndexes";
  static final String DROP_INDEXES = "dropIndexes";
  static final String COLL_MOD = "collMod";

  private final String type;
  private final CatalogReads catalog;
  private final Participants participants;

  /**
   * @param type the name of the command
   */
  ShardedCommandCoordinator(String type, DdlParts parts) {
    this.type = type;
    this.catalog = parts.catalog();
    this.participants = parts.participants();
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
    CollectionDocument collection = catalog.requireSharded(context.operation(), context.resource());
    ShardKeyPattern key = ShardKeyPattern.of(collection.key());
    if (type.equals(CREATE_INDEXES)) {
      for (RawDocument index : DocumentFields.documents(context.arguments(), "indexes")) {
        checkUnique(index, key);
      }
    } else if (type.equals(DROP_INDEXES)) {
      checkKeyIndexStays(context, collection, key);
    }
    return Optional.empty();
  }

  private static void checkUnique(RawDocument index, ShardKeyPattern key) {
    RawDocument pattern = DocumentFields.document(index, "key");
    if (DocumentFields.isTrue(index, "unique") && !key.allowsUnique(pattern)) {
      throw new CommandException(
          ErrorCode.CANNOT_CREATE_INDEX,
          "cannot create unique index over %s with shard key pattern %s"
              .formatted(ValueText.of(pattern), ValueText.of(key.pattern())));
    }
  }

  /** An index is named by its name, by its key, or in a list of names. */
  private void checkKeyIndexStays(
      PhaseContext context, CollectionDocument collection, ShardKeyPattern key) {
    Namespace namespace = collection.namespace();
    String primary = catalog.primaryOf(context.operation(), namespace.database());
    boolean stays =
        participants.indexes(context, primary, namespace).stream()
            .anyMatch(index -> key.isSupportedBy(index) && !isDropped(index, context));
    if (!stays) {
      throw new CommandException(
          ErrorCode.CANNOT_DROP_SHARD_KEY_INDEX,
          "Cannot drop the only compatible index for this collection's shard key");
    }
  }

  private static boolean isDropped(RawDocument index, PhaseContext context) {
    String name = DocumentFields.text(index, "name");
    if (name.equals("_id_")) {
      return false;
    }
    String one = DocumentFields.text(context.arguments(), "index");
    return "*".equals(one)
        || name.equals(one)
        || DocumentFields.texts(context.arguments(), "index").contains(name)
        || DocumentFields.document(index, "key")
            .equals(DocumentFields.document(context.arguments(), "index"));
  }

  @Override
  public List<Phase> phases() {
    return List.of(Phase.deciding("runOnShards", this::runOnShards));
  }

  private RawDocument runOnShards(PhaseContext context) {
    CollectionDocument collection = catalog.requireSharded(context.operation(), context.resource());
    Namespace namespace = collection.namespace();
    var raw = new BsonBuilder();
    boolean done = false;
    for (String shard : catalog.participants(context.operation(), collection)) {
      try {
        RawDocument reply =
            participants.write(
                context,
                shard,
                namespace.database(),
                out ->
                    out.appendString(type, namespace.collection()).appendAll(context.arguments()));
        raw.appendDocument(shard, reply);
        done = true;
      } catch (CommandException e) {
        // Another attempt has dropped it there.
        if (e.code() != ErrorCode.INDEX_NOT_FOUND || !done) {
          throw e;
        }
      }
    }
    return new BsonBuilder().appendDocument("raw", raw.toDocument()).toDocument();
  }

  @Override
  public RawDocument result(PhaseContext context) {
    return context.data();
  }
}
