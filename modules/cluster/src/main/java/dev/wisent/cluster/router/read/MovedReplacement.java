package dev.wisent.cluster.router.read;

import dev.wisent.base.CommandException;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.call.ShardCalls;
import dev.wisent.cluster.call.ShardRequest;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.pipeline.write.DocumentSink;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.bson.types.ObjectId;

/**
 * {@code $out} into an unsharded collection that is not on the primary shard of its database. The
 * documents go into a collection of another name on the same shard, with the same options and
 * indexes, which is renamed at the end: the config servers know where both are.
 */
final class MovedReplacement implements DocumentSink {
  static final String PREFIX = "tmp.agg_out.";
  private static final int INDEXES_MAX = 1000;
  private static final long DROP_MILLIS_MAX = 10_000;

  private final ShardCalls calls;
  private final Target target;
  private final Namespace gathered;
  private final Supplier<OperationContext> operation;
  private final DocumentSink inserts;
  private boolean complete;

  /**
   * What is replaced.
   *
   * @param shard where it is
   * @param epoch by which the config servers tell whether it still is
   * @param primary where new collections of the database are created
   */
  record Target(Namespace namespace, String shard, ObjectId epoch, ReadTarget primary) {}

  /**
   * @param gathered the collection that takes its place
   * @param inserts writes documents to that
   */
  MovedReplacement(
      ShardCalls calls,
      Target target,
      Namespace gathered,
      Function<Namespace, DocumentSink> inserts,
      Supplier<OperationContext> operation) {
    this.calls = calls;
    this.target = target;
    this.gathered = gathered;
    this.operation = operation;
    create();
    this.inserts = inserts.apply(gathered);
  }

  private void create() {
    Namespace replaced = target.namespace();
    var filter = new BsonBuilder().appendInt32("listCollections", 1);
    filter.startDocument("filter").appendString("name", replaced.collection()).end();
    List<RawDocument> listed = read(filter.toDocument());
    RawDocument options =
        listed.isEmpty() ? RawDocument.EMPTY : listed.getFirst().get("options").asDocument();
    var create = new BsonBuilder().appendString("create", gathered.collection());
    onPrimary(create.appendAll(options));
    try {
      createIndexes(replaced);
      var move = new BsonBuilder().appendString("_configsvrMoveCollection", gathered.full());
      move.appendString("toShard", target.shard());
      calls.call(operation.get(), ShardRequest.configChange(move));
    } catch (CommandException e) {
      drop();
      throw e;
    }
  }

  private void createIndexes(Namespace replaced) {
    var list = new BsonBuilder().appendString("listIndexes", replaced.collection());
    list.startDocument("cursor").appendInt32("batchSize", INDEXES_MAX).end();
    var create = new BsonBuilder().appendString("createIndexes", gathered.collection());
    create.startArray("indexes");
    int count = 0;
    for (RawDocument index : read(list.toDocument())) {
      if (!index.get("name").asString().equals("_id_")) {
        create.appendDocument(count++, index.without(Set.of("ns")));
      }
    }
    if (count > 0) {
      onPrimary(create.end());
    }
  }

  private List<RawDocument> read(RawDocument command) {
    RawDocument reply =
        calls.call(
            operation.get(),
            ShardRequest.control(target.shard(), target.namespace().database(), command));
    var found = new ArrayList<RawDocument>();
    ElementCursor each = reply.get("cursor").asDocument().get("firstBatch").elements();
    while (each.next()) {
      found.add(each.value().asDocument().detached());
    }
    return found;
  }

  private void onPrimary(BsonBuilder command) {
    command.startDocument("writeConcern").appendString("w", "majority").end();
    command.appendAll(target.primary().versions());
    calls.call(
        operation.get(),
        ShardRequest.write(
            target.primary().shard(), gathered.database(), command.toDocument(), List.of()));
  }

  @Override
  public void add(RawDocument document) {
    inserts.add(document);
  }

  @Override
  public void complete() {
    inserts.complete();
    var rename = new BsonBuilder().appendString("_configsvrRenameCollection", gathered.full());
    rename.appendString("to", target.namespace().full()).appendBoolean("dropTarget", true);
    rename.appendObjectId("targetEpoch", target.epoch());
    calls.call(operation.get(), ShardRequest.configChange(rename));
    complete = true;
  }

  @Override
  public void close() {
    inserts.close();
    if (!complete) {
      drop();
    }
  }

  /** The operation may have ended: that does not keep its collection. */
  private void drop() {
    OperationContext own = OperationContext.internal(operation.get().clock());
    own.limitMillis(DROP_MILLIS_MAX);
    var drop = new BsonBuilder().appendString("_configsvrDrop", gathered.full());
    try {
      calls.call(own, ShardRequest.configChange(drop));
    } catch (CommandException e) {
      // The error of the pipeline tells more.
    }
  }
}
