package dev.wisent.server.command.collection;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.AggregateRequest;
import dev.wisent.operation.CountRequest;
import dev.wisent.operation.DeleteRequest;
import dev.wisent.operation.DistinctRequest;
import dev.wisent.operation.ExplainRequest;
import dev.wisent.operation.FindAndModifyOutcome;
import dev.wisent.operation.FindAndModifyRequest;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.InsertRequest;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.Operations;
import dev.wisent.operation.ResultCursor;
import dev.wisent.operation.UpdateRequest;
import dev.wisent.operation.VirtualReads;
import dev.wisent.operation.WriteOutcome;
import dev.wisent.operation.diagnostic.NodeStore;
import dev.wisent.query.collation.Collation;
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
public final class VirtualCollections implements Operations {
  private static final int USERS_FORMAT = 5;

  private final Map<Namespace, Supplier<Stream<RawDocument>>> shown =
      new TreeMap<>(Comparator.comparing(Namespace::full));
  private final Operations node;
  private final VirtualReads reads;

  private VirtualCollections(Operations node, VirtualReads reads, SessionRegistry sessions) {
    this.node = node;
    this.reads = reads;
    shown.put(
        new Namespace("admin", "system.version"),
        () -> Stream.of(FeatureCompatibility.document(), usersFormat()));
    shown.put(
        new Namespace("config", "system.sessions"),
        () -> sessions.list().stream().map(VirtualCollections::session));
  }

  private void member(ReplicaSet set, NodeStore store) {
    shown.put(
        new Namespace("local", "system.replset"),
        () -> set.config().map(VirtualCollections::configuration).stream());
    shown.put(new Namespace("config", "transactions"), () -> store.retryRecords().stream());
  }

  public static VirtualCollections of(ServerServices services) {
    var operations =
        new VirtualCollections(
            services.database(), services.store().virtualReads(), services.sessions());
    services.replicaSet().ifPresent(set -> operations.member(set, services.store().store()));
    return operations;
  }

  /** Those of a database, by name. */
  public List<Namespace> in(String database) {
    return shown.keySet().stream().filter(each -> each.database().equals(database)).toList();
  }

  public boolean contains(Namespace namespace) {
    return shown.containsKey(namespace);
  }

  /** In which format users are stored: tools that copy them ask for it. */
  private static RawDocument usersFormat() {
    return new BsonBuilder()
        .appendString("_id", "authSchema")
        .appendInt32("currentVersion", USERS_FORMAT)
        .toDocument();
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

  private Stream<RawDocument> documents(Namespace namespace) {
    return shown.get(namespace).get();
  }

  @Override
  public Collation collation(OperationContext operation, Namespace namespace) {
    return node.collation(operation, namespace);
  }

  @Override
  public ResultCursor find(OperationContext operation, FindRequest request) {
    return shown.containsKey(request.namespace())
        ? reads.find(operation, request, documents(request.namespace()))
        : node.find(operation, request);
  }

  @Override
  public ResultCursor aggregate(OperationContext operation, AggregateRequest request) {
    return shown.containsKey(request.namespace()) && request.pipeline().source() == null
        ? reads.aggregate(operation, request, documents(request.namespace()))
        : node.aggregate(operation, request);
  }

  @Override
  public long count(OperationContext operation, CountRequest request) {
    return shown.containsKey(request.namespace())
        ? reads.count(operation, request, documents(request.namespace()))
        : node.count(operation, request);
  }

  @Override
  public List<RawValue> distinct(OperationContext operation, DistinctRequest request) {
    return shown.containsKey(request.namespace())
        ? reads.distinct(operation, request, documents(request.namespace()))
        : node.distinct(operation, request);
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
