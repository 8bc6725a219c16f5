package dev.wisent.cluster.config.ddl;

import dev.wisent.base.CommandException;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.DocumentFields;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.cluster.config.metadata.ShardPrimaries;
import dev.wisent.cluster.coordinator.Coordinator;
import dev.wisent.cluster.coordinator.Phase;
import dev.wisent.cluster.coordinator.PhaseContext;
import dev.wisent.cluster.coordinator.ResourceLock;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Changes a collection on all its shards. The first one decides: if it refuses, nothing is changed;
 * if it does not, all others follow. What depends on documents is tried on all of them before.
 *
 * <p>Shards that have the collection without chunks follow too, if they answer at the beginning;
 * one that is away then gets the options with its next chunk.
 */
final class CollModCoordinator implements Coordinator {
  static final String TYPE = "collMod";

  private static final String WITHOUT_CHUNKS = "withoutChunks";

  private final ShardedCollections collections;

  CollModCoordinator(DdlParts parts) {
    this.collections = new ShardedCollections(parts);
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
    collections.require(context);
    return Optional.empty();
  }

  @Override
  public List<Phase> phases() {
    return List.of(
        Phase.deciding("tryOnShards", this::tryOnShards),
        new Phase("runOnFirst", false, this::runOnFirst),
        new Phase("runOnOthers", false, this::runOnOthers));
  }

  /** An index becomes unique where no shard has duplicates. */
  private RawDocument tryOnShards(PhaseContext context) {
    collections.requireAnswers(context);
    RawDocument index = DocumentFields.document(context.arguments(), "index");
    if (DocumentFields.isTrue(index, "unique")) {
      RawDocument trial = DocumentFields.with(context.arguments(), "dryRun", RawValue.TRUE);
      for (String shard : collections.shards(context)) {
        collections.run(context, TYPE, shard, trial);
      }
    }
    return new BsonBuilder()
        .append(WITHOUT_CHUNKS, DocumentFields.arrayOfTexts(collections.answeringOthers(context)))
        .toDocument();
  }

  /** Whether it has changed it or not is known in the end, and not guessed. */
  private RawDocument runOnFirst(PhaseContext context) {
    String first = collections.shards(context).getFirst();
    var out = new BsonBuilder();
    try {
      out.appendDocument("first", collections.run(context, TYPE, first, context.arguments()));
    } catch (CommandException e) {
      requireRefusal(e);
      appendRefusal(out, e);
    }
    return out.toDocument();
  }

  private static void requireRefusal(CommandException e) {
    if (ShardPrimaries.mayPass(e.code())) {
      throw e;
    }
  }

  private static void appendRefusal(BsonBuilder out, CommandException refused) {
    out.startDocument(ShardedCommand.REFUSED).appendInt32("code", refused.code().code());
    out.appendString("errmsg", refused.getMessage()).end();
  }

  /** A shard that is different from the first one may refuse; the others follow all the same. */
  private RawDocument runOnOthers(PhaseContext context) {
    if (context.data().get(ShardedCommand.REFUSED) != null) {
      return RawDocument.EMPTY;
    }
    var raw = new BsonBuilder();
    List<String> shards = collections.shards(context);
    raw.append(shards.getFirst(), context.data().get("first"));
    CommandException refused = null;
    for (String shard : shards.subList(1, shards.size())) {
      try {
        raw.appendDocument(shard, collections.run(context, TYPE, shard, context.arguments()));
      } catch (CommandException e) {
        requireRefusal(e);
        refused = refused == null ? e : refused;
      }
    }
    for (String shard : DocumentFields.texts(context.data(), WITHOUT_CHUNKS)) {
      runWithoutChunks(context, shard);
    }
    var out = new BsonBuilder().appendDocument("raw", raw.toDocument());
    if (refused != null) {
      appendRefusal(out, refused);
    }
    return out.toDocument();
  }

  /** Whatever it says is of no interest: a migration makes the collection what it is elsewhere. */
  private void runWithoutChunks(PhaseContext context, String shard) {
    if (!collections.isShard(context, shard)) {
      return; // It was removed meanwhile.
    }
    try {
      var unused = collections.run(context, TYPE, shard, context.arguments());
    } catch (CommandException e) {
      requireRefusal(e);
    }
  }

  @Override
  public RawDocument result(PhaseContext context) {
    return DocumentFields.without(DocumentFields.without(context.data(), "first"), WITHOUT_CHUNKS);
  }
}
