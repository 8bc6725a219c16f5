package dev.wisent.cluster.config.ddl;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.DocumentFields;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.coordinator.Coordinator;
import dev.wisent.cluster.coordinator.Phase;
import dev.wisent.cluster.coordinator.PhaseContext;
import dev.wisent.cluster.coordinator.ResourceLock;
import dev.wisent.operation.Namespace;
import dev.wisent.sharding.CollectionDocument;
import dev.wisent.sharding.ShardKeyPattern;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Drops indexes of a sharded collection on all its shards. An index that supports the shard key
 * stays: {@code *} spares it, and a request for the last one is refused.
 */
final class DropIndexesCoordinator implements Coordinator {
  static final String TYPE = "dropIndexes";

  private static final String ALL = "*";
  private static final String ID_INDEX = "_id_";

  private final ShardedCollections collections;
  private final Participants participants;

  DropIndexesCoordinator(DdlParts parts) {
    this.collections = new ShardedCollections(parts);
    this.participants = parts.participants();
  }

  @Override
  public String type() {
    return TYPE;
  }

  @Override
  public Set<ResourceLock> locks(String resource, RawDocument arguments) {
    return ResourceLock.ofCollection(resource);
  }

  @Override
  public Optional<RawDocument> check(PhaseContext context) {
    int wanted = Math.max(1, DocumentFields.texts(context.arguments(), "index").size());
    if (!isAll(context) && names(context).size() < wanted) {
      // No shard has it, or it must stay: one of them says so.
      String shard = collections.shards(context).getFirst();
      return Optional.of(collections.run(context, TYPE, shard, context.arguments()));
    }
    return Optional.empty();
  }

  private static boolean isAll(PhaseContext context) {
    return ALL.equals(DocumentFields.text(context.arguments(), "index"));
  }

  @Override
  public List<Phase> phases() {
    return List.of(
        Phase.deciding(
            "plan",
            context ->
                new BsonBuilder()
                    .append("names", DocumentFields.arrayOfTexts(names(context)))
                    .toDocument()),
        Phase.untilDone("dropOnShards", this::dropOnShards));
  }

  /** The indexes that are dropped, as far as any shard has them. */
  private List<String> names(PhaseContext context) {
    CollectionDocument collection = collections.require(context);
    ShardKeyPattern key = ShardKeyPattern.of(collection.key());
    Namespace namespace = collection.namespace();
    var names = new LinkedHashSet<String>();
    for (String shard : collections.shards(context)) {
      List<RawDocument> indexes = participants.indexes(context, shard, namespace);
      List<RawDocument> dropped =
          indexes.stream().filter(index -> isDropped(index, context)).toList();
      List<RawDocument> supporting =
          indexes.stream()
              .filter(index -> key.isSupportedBy(index) && !DocumentFields.isTrue(index, "hidden"))
              .toList();
      boolean stays = supporting.stream().anyMatch(index -> !dropped.contains(index));
      if (!stays && !supporting.isEmpty() && !isAll(context)) {
        throw ShardKeyPattern.lastIndexDropped();
      }
      for (RawDocument index : dropped) {
        if (!isAll(context) || !key.isSupportedBy(index)) {
          names.add(DocumentFields.text(index, "name"));
        }
      }
    }
    return new ArrayList<>(names);
  }

  /** An index is named by its name, by its key, or in a list of names. */
  private static boolean isDropped(RawDocument index, PhaseContext context) {
    String name = DocumentFields.text(index, "name");
    if (name.equals(ID_INDEX)) {
      return false;
    }
    return isAll(context)
        || name.equals(DocumentFields.text(context.arguments(), "index"))
        || DocumentFields.texts(context.arguments(), "index").contains(name)
        || DocumentFields.document(index, "key")
            .equals(DocumentFields.document(context.arguments(), "index"));
  }

  private void dropOnShards(PhaseContext context) {
    Namespace namespace = Namespace.parse(context.resource());
    for (String shard : collections.shards(context)) {
      collections
          .participants(context, shard)
          .dropIndexes(context, shard, namespace, DocumentFields.texts(context.data(), "names"));
    }
  }

  /** Shards that had dropped them before a crash would have nothing to tell. */
  @Override
  public RawDocument result(PhaseContext context) {
    var raw = new BsonBuilder();
    Namespace namespace = Namespace.parse(context.resource());
    int dropped = DocumentFields.texts(context.data(), "names").size();
    for (String shard : collections.shards(context)) {
      int left = participants.indexes(context, shard, namespace).size();
      raw.startDocument(shard).appendInt32("nIndexesWas", left + dropped);
      if (isAll(context)) {
        raw.appendString("msg", "non-_id indexes and non-shard key indexes dropped for collection");
      }
      raw.appendInt32("ok", 1).end();
    }
    return new BsonBuilder().appendDocument("raw", raw.toDocument()).toDocument();
  }
}
