package dev.wisent.server.command.collection;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.database.NodeDatabase;
import dev.wisent.database.read.Counter;
import dev.wisent.database.read.DistinctValues;
import dev.wisent.database.read.PipelineCursor;
import dev.wisent.database.read.ReadStages;
import dev.wisent.operation.AggregateRequest;
import dev.wisent.operation.CountRequest;
import dev.wisent.operation.DeleteRequest;
import dev.wisent.operation.DistinctRequest;
import dev.wisent.operation.ExplainRequest;
import dev.wisent.operation.FindAndModifyOutcome;
import dev.wisent.operation.FindAndModifyRequest;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.InsertRequest;
import dev.wisent.operation.ListCursor;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.Operations;
import dev.wisent.operation.QueryContexts;
import dev.wisent.operation.ResultCursor;
import dev.wisent.operation.UpdateRequest;
import dev.wisent.operation.WriteOutcome;
import dev.wisent.pipeline.Pipeline;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.collation.CollationChoice;
import dev.wisent.query.match.MatchExpression;
import dev.wisent.query.match.MatchParser;
import dev.wisent.replication.ReplicaSet;
import dev.wisent.replication.config.ConfigWriter;
import dev.wisent.replication.config.ReplicaSetConfig;
import dev.wisent.server.ServerServices;
import dev.wisent.server.command.diagnostic.FeatureCompatibility;
import dev.wisent.server.session.SessionRegistry;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The operations of a node. They show some of what it knows as collections, because shells and
 * tools look for it there: its version, the sessions that were used on it and, of a member of a
 * replica set, the configuration and the records of retryable writes. Everything else is stored.
 */
public final class ShownCollections implements Operations {
  private final Map<Namespace, Supplier<Stream<RawDocument>>> shown =
      new TreeMap<>(Comparator.comparing(Namespace::full));
  private final NodeDatabase node;

  private ShownCollections(NodeDatabase node, SessionRegistry sessions) {
    this.node = node;
    shown.put(
        new Namespace("admin", "system.version"), () -> Stream.of(FeatureCompatibility.document()));
    shown.put(
        new Namespace("config", "system.sessions"),
        () -> sessions.list().stream().map(ShownCollections::session));
  }

  private void member(ReplicaSet set) {
    shown.put(
        new Namespace("local", "system.replset"),
        () -> set.config().map(ShownCollections::configuration).stream());
    shown.put(
        new Namespace("config", "transactions"),
        () -> node.shared().retryableWrites().records().stream());
  }

  public static ShownCollections of(ServerServices services) {
    var operations = new ShownCollections(services.database(), services.sessions());
    services.replicaSet().ifPresent(operations::member);
    return operations;
  }

  /** Those of a database, by name. */
  public List<Namespace> in(String database) {
    return shown.keySet().stream().filter(each -> each.database().equals(database)).toList();
  }

  public boolean contains(Namespace namespace) {
    return shown.containsKey(namespace);
  }

  private static RawDocument configuration(ReplicaSetConfig config) {
    var out = new BsonBuilder();
    ConfigWriter.append(out, config);
    return out.toDocument();
  }

  private static RawDocument session(SessionRegistry.Listed session) {
    return new BsonBuilder()
        .appendDocument("_id", session.id().document())
        .appendDate("lastUse", session.lastUseMillis())
        .toDocument();
  }

  private List<RawDocument> documents(
      Namespace namespace, RawDocument filter, CollationChoice choice, OperationContext operation) {
    MatchExpression matching =
        MatchParser.parse(filter, QueryContexts.of(operation, choice.or(null)));
    return shown.get(namespace).get().filter(matching::matches).toList();
  }

  @Override
  public Collation collation(Namespace namespace) {
    return node.collation(namespace);
  }

  @Override
  public ResultCursor find(OperationContext operation, FindRequest request) {
    if (!shown.containsKey(request.namespace())) {
      return node.find(operation, request);
    }
    var found =
        new ListCursor(
            documents(request.namespace(), request.filter(), request.collation(), operation));
    Pipeline rest =
        Pipeline.parse(
            ReadStages.withoutFilter(request),
            QueryContexts.of(operation, request.collation().or(null)));
    return new PipelineCursor(found, rest, 0, node.stages(operation, request.namespace()));
  }

  @Override
  public ResultCursor aggregate(OperationContext operation, AggregateRequest request) {
    if (!shown.containsKey(request.namespace()) || request.pipeline().source() != null) {
      return node.aggregate(operation, request);
    }
    var all =
        new ListCursor(
            documents(
                request.namespace(), RawDocument.EMPTY, CollationChoice.INHERITED, operation));
    return new PipelineCursor(
        all, request.pipeline(), 0, node.stages(operation, request.namespace()));
  }

  @Override
  public long count(OperationContext operation, CountRequest request) {
    return shown.containsKey(request.namespace())
        ? Counter.within(
            documents(request.namespace(), request.query(), request.collation(), operation).size(),
            request.skip(),
            request.limit())
        : node.count(operation, request);
  }

  @Override
  public List<RawValue> distinct(OperationContext operation, DistinctRequest request) {
    if (!shown.containsKey(request.namespace())) {
      return node.distinct(operation, request);
    }
    var values = new DistinctValues(request.key(), request.collation().or(null));
    documents(request.namespace(), request.query(), request.collation(), operation)
        .forEach(values::addFrom);
    return values.values();
  }

  private void checkWritable(Namespace namespace) {
    if (shown.containsKey(namespace)) {
      throw new CommandException(
          ErrorCode.INVALID_NAMESPACE, "cannot write to '" + namespace + "'");
    }
  }

  @Override
  public WriteOutcome insert(OperationContext operation, InsertRequest request) {
    checkWritable(request.namespace());
    return node.insert(operation, request);
  }

  @Override
  public WriteOutcome update(OperationContext operation, UpdateRequest request) {
    checkWritable(request.namespace());
    return node.update(operation, request);
  }

  @Override
  public WriteOutcome delete(OperationContext operation, DeleteRequest request) {
    checkWritable(request.namespace());
    return node.delete(operation, request);
  }

  @Override
  public FindAndModifyOutcome findAndModify(
      OperationContext operation, FindAndModifyRequest request) {
    checkWritable(request.namespace());
    return node.findAndModify(operation, request);
  }

  @Override
  public RawDocument explain(OperationContext operation, ExplainRequest request) {
    return node.explain(operation, request);
  }

  @Override
  public Object version(Namespace namespace) {
    return node.version(namespace);
  }

  @Override
  public void awaitDurable(OperationContext operation) {
    node.awaitDurable(operation);
  }
}
