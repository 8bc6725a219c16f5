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
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Creates indexes on all shards that have chunks of a collection, and on the primary of its
 * database. If one of them cannot, those that were not there before are dropped again everywhere.
 */
final class CreateIndexesCoordinator implements Coordinator {
  static final String TYPE = "createIndexes";

  private final ShardedCollections collections;
  private final Participants participants;

  CreateIndexesCoordinator(DdlParts parts) {
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
    CollectionDocument collection = collections.require(context);
    ShardKeyPattern key = ShardKeyPattern.of(collection.key());
    for (RawDocument index : DocumentFields.documents(context.arguments(), "indexes")) {
      RawDocument pattern = DocumentFields.document(index, "key");
      if (DocumentFields.isTrue(index, "unique") && !collection.unsplittable()) {
        key.checkUnique(pattern);
      }
    }
    return Optional.empty();
  }

  @Override
  public List<Phase> phases() {
    return List.of(
        Phase.deciding("plan", this::plan), Phase.deciding("runOnShards", this::runOnShards));
  }

  /** For each shard, the indexes that it does not have yet. */
  private RawDocument plan(PhaseContext context) {
    Namespace namespace = collections.require(context).namespace();
    var wanted = new ArrayList<String>();
    for (RawDocument index : DocumentFields.documents(context.arguments(), "indexes")) {
      wanted.add(DocumentFields.text(index, "name"));
    }
    var missing = new ArrayList<RawDocument>();
    for (String shard : collections.shards(context)) {
      var names = new ArrayList<>(wanted);
      names.removeAll(participants.indexNames(context, shard, namespace));
      missing.add(
          new BsonBuilder()
              .appendString("shard", shard)
              .append("names", DocumentFields.arrayOfTexts(names))
              .toDocument());
    }
    return new BsonBuilder().append("missing", DocumentFields.arrayOf(missing)).toDocument();
  }

  private RawDocument runOnShards(PhaseContext context) {
    var raw = new BsonBuilder();
    for (RawDocument each : DocumentFields.documents(context.data(), "missing")) {
      String shard = DocumentFields.text(each, "shard");
      raw.appendDocument(shard, collections.run(context, TYPE, shard, context.arguments()));
    }
    return new BsonBuilder().appendDocument("raw", raw.toDocument()).toDocument();
  }

  @Override
  public void undo(PhaseContext context) {
    Namespace namespace = Namespace.parse(context.resource());
    for (RawDocument each : DocumentFields.documents(context.data(), "missing")) {
      String shard = DocumentFields.text(each, "shard");
      participants.fence(context, List.of(shard));
      collections
          .participants(context, shard)
          .dropIndexes(context, shard, namespace, DocumentFields.texts(each, "names"));
    }
  }

  @Override
  public RawDocument result(PhaseContext context) {
    return ShardedCollections.raw(context);
  }
}
