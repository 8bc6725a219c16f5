package dev.wisent.server.command.replication;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.database.Namespace;
import dev.wisent.database.OperationContext;
import dev.wisent.database.collection.QueryContexts;
import dev.wisent.database.cursor.ListCursor;
import dev.wisent.database.cursor.PipelineCursor;
import dev.wisent.database.exec.PlanReport;
import dev.wisent.database.operation.AggregateRequest;
import dev.wisent.database.operation.CountRequest;
import dev.wisent.database.operation.DeleteRequest;
import dev.wisent.database.operation.DistinctRequest;
import dev.wisent.database.operation.ExplainRequest;
import dev.wisent.database.operation.FindAndModifyOutcome;
import dev.wisent.database.operation.FindAndModifyRequest;
import dev.wisent.database.operation.FindRequest;
import dev.wisent.database.operation.InsertRequest;
import dev.wisent.database.operation.Operations;
import dev.wisent.database.operation.ResultCursor;
import dev.wisent.database.operation.UpdateRequest;
import dev.wisent.database.operation.WriteOutcome;
import dev.wisent.database.read.Counter;
import dev.wisent.database.read.DistinctValues;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.collation.CollationChoice;
import dev.wisent.query.match.MatchExpression;
import dev.wisent.query.match.MatchParser;
import dev.wisent.query.sort.SortSpace;
import dev.wisent.replication.ReplicaSet;
import dev.wisent.replication.config.ConfigWriter;
import dev.wisent.replication.config.ReplicaSetConfig;
import java.util.List;

/**
 * The operations of a member of a replica set. To them {@code local.system.replset} is a collection
 * of one document, the configuration, which shells and tools read; everything else is the node's.
 */
public final class SystemReplset implements Operations {
  private static final Namespace NAMESPACE = new Namespace("local", "system.replset");

  private final ReplicaSet set;
  private final Operations node;

  private SystemReplset(ReplicaSet set, Operations node) {
    this.set = set;
    this.node = node;
  }

  /**
   * @param set null for a standalone
   */
  public static Operations over(Operations node, ReplicaSet set) {
    return set == null ? node : new SystemReplset(set, node);
  }

  private List<RawDocument> documents(
      RawDocument filter, CollationChoice choice, OperationContext operation) {
    MatchExpression matching =
        MatchParser.parse(filter, QueryContexts.of(operation, choice.or(null)));
    return set.config().map(SystemReplset::document).stream().filter(matching::matches).toList();
  }

  private static RawDocument document(ReplicaSetConfig config) {
    var out = new BsonBuilder();
    ConfigWriter.append(out, config);
    return out.toDocument();
  }

  @Override
  public Collation collation(Namespace namespace) {
    return node.collation(namespace);
  }

  @Override
  public ResultCursor find(OperationContext operation, FindRequest request) {
    if (!request.namespace().equals(NAMESPACE)) {
      return node.find(operation, request);
    }
    if (!request.projection().isEmpty()) {
      throw new CommandException(
          ErrorCode.NOT_IMPLEMENTED, "a projection of " + NAMESPACE + " is not supported yet");
    }
    return new ListCursor(
        documents(request.filter(), request.collation(), operation).stream()
            .skip(request.skip())
            .toList());
  }

  @Override
  public ResultCursor aggregate(OperationContext operation, AggregateRequest request) {
    if (!request.namespace().equals(NAMESPACE)) {
      return node.aggregate(operation, request);
    }
    var all = new ListCursor(documents(RawDocument.EMPTY, CollationChoice.INHERITED, operation));
    return new PipelineCursor(all, request.pipeline(), 0, SortSpace.inMemory());
  }

  @Override
  public long count(OperationContext operation, CountRequest request) {
    return request.namespace().equals(NAMESPACE)
        ? Counter.within(
            documents(request.query(), request.collation(), operation).size(),
            request.skip(),
            request.limit())
        : node.count(operation, request);
  }

  @Override
  public List<RawValue> distinct(OperationContext operation, DistinctRequest request) {
    if (!request.namespace().equals(NAMESPACE)) {
      return node.distinct(operation, request);
    }
    var values = new DistinctValues(request.key(), request.collation().or(null));
    documents(request.query(), request.collation(), operation).forEach(values::addFrom);
    return values.values();
  }

  @Override
  public WriteOutcome insert(OperationContext operation, InsertRequest request) {
    return node.insert(operation, request);
  }

  @Override
  public WriteOutcome update(OperationContext operation, UpdateRequest request) {
    return node.update(operation, request);
  }

  @Override
  public WriteOutcome delete(OperationContext operation, DeleteRequest request) {
    return node.delete(operation, request);
  }

  @Override
  public FindAndModifyOutcome findAndModify(
      OperationContext operation, FindAndModifyRequest request) {
    return node.findAndModify(operation, request);
  }

  @Override
  public PlanReport explain(OperationContext operation, ExplainRequest request) {
    return node.explain(operation, request);
  }

  @Override
  public void awaitDurable(OperationContext operation) {
    node.awaitDurable(operation);
  }
}
