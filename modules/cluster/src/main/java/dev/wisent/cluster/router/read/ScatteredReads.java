package dev.wisent.cluster.router.read;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.Limits;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.IndexKeyV1;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.cluster.call.ShardCalls;
import dev.wisent.cluster.call.ShardReply;
import dev.wisent.operation.CountRequest;
import dev.wisent.operation.DistinctRequest;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.QueryContexts;
import dev.wisent.operation.ResultCursor;
import dev.wisent.pipeline.sort.SortPattern;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.collation.CollationChoice;
import dev.wisent.query.match.MatchExpression;
import dev.wisent.query.match.MatchParser;
import dev.wisent.query.match.NearMatch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;

/** Reads that are the same command on each shard: find, count, distinct. */
final class ScatteredReads {
  private static final String NATURAL = "$natural";

  private final ReadTargets targets;
  private final ShardScatter scatter;

  ScatteredReads(ShardCalls calls, ReadTargets targets) {
    this.targets = targets;
    this.scatter = new ShardScatter(calls);
  }

  /**
   * What a read selects, and where that is.
   *
   * @param collation null for the simple one
   */
  record Selection(MatchExpression filter, Collation collation, List<ReadTarget> shards) {}

  Selection select(
      Namespace namespace, RawDocument query, CollationChoice choice, OperationContext operation) {
    Collation collation = choice.or(targets.collation(namespace));
    MatchExpression filter = MatchParser.parse(query, QueryContexts.of(operation, collation));
    return new Selection(filter, collation, targets.of(operation, namespace, filter, collation));
  }

  ResultCursor find(OperationContext operation, FindRequest request) {
    Selection selected =
        select(request.namespace(), request.filter(), request.collation(), operation);
    MergeOrder order = orderOf(request, selected);
    RawDocument command = ShardCommands.find(request, order, operation);
    ShardScatter.Opened opened =
        scatter.open(
            operation,
            ShardScatter.requests(selected.shards(), request.namespace().database(), command),
            Math.max(0, request.batchSize()),
            request.partialResults());
    return new MergedCursor(
        opened.inputs(),
        order,
        request.skip(),
        request.limit(),
        request.partialResults(),
        opened.partial());
  }

  /** Null where the documents may come in any order. */
  static MergeOrder orderOf(FindRequest request, Selection selected) {
    RawDocument sort = request.sort();
    if (sort.isEmpty()) {
      return NearMatch.of(selected.filter()) == null ? null : MergeOrder.ofDistance();
    }
    return sort.get(NATURAL) == null
        ? MergeOrder.of(SortPattern.parse(sort, selected.collation()))
        : null;
  }

  long count(OperationContext operation, CountRequest request) {
    Selection selected =
        select(request.namespace(), request.query(), request.collation(), operation);
    long total = 0;
    for (ShardReply reply :
        scatter.all(
            operation,
            ShardScatter.requests(
                selected.shards(), request.namespace().database(), ShardCommands.count(request)))) {
      total += reply.get().get("n").toLong();
    }
    long left = Math.max(0, total - request.skip());
    return request.limit() == 0 ? left : Math.min(left, request.limit());
  }

  /** In the order of the values; of those that are equal under the collation the first shard's. */
  List<RawValue> distinct(OperationContext operation, DistinctRequest request) {
    Selection selected =
        select(request.namespace(), request.query(), request.collation(), operation);
    var values = new TreeMap<byte[], RawValue>(Arrays::compareUnsigned);
    var key = new IndexKeyV1.Encoder();
    long bytes = 0;
    for (ShardReply reply :
        scatter.all(
            operation,
            ShardScatter.requests(
                selected.shards(),
                request.namespace().database(),
                ShardCommands.distinct(request)))) {
      ElementCursor elements = reply.get().get("values").elements();
      while (elements.next()) {
        RawValue value = elements.value();
        key.reset().append(Collation.key(selected.collation(), value), false);
        if (values.putIfAbsent(key.toByteArray(), value) == null) {
          bytes += value.length();
        }
      }
    }
    if (bytes > Limits.DOCUMENT_BYTES_MAX) {
      throw new CommandException(ErrorCode.DISTINCT_TOO_BIG, "distinct too big, 16mb cap");
    }
    return new ArrayList<>(values.values());
  }
}
