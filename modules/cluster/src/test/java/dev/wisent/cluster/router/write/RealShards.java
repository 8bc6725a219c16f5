package dev.wisent.cluster.router.write;

import dev.wisent.base.Clock;
import dev.wisent.base.RandomSource;
import dev.wisent.base.loop.BackgroundLoops;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueOrder;
import dev.wisent.cluster.call.ShardCall;
import dev.wisent.cluster.call.ShardCalls;
import dev.wisent.cluster.call.ShardReply;
import dev.wisent.cluster.call.ShardRequest;
import dev.wisent.cluster.embedded.EmbeddedSet;
import dev.wisent.cluster.router.read.ReadRouting;
import dev.wisent.operation.AggregateRequest;
import dev.wisent.operation.CountRequest;
import dev.wisent.operation.DistinctRequest;
import dev.wisent.operation.ExplainRequest;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.ListCursor;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.ResultCursor;
import dev.wisent.operation.UpdateContexts;
import dev.wisent.sharding.ChunkVersion;
import dev.wisent.sharding.CollectionRouting;
import dev.wisent.sharding.DatabaseRouting;
import dev.wisent.sharding.DatabaseVersion;
import dev.wisent.sharding.RoutingCatalog;
import dev.wisent.sharding.ShardInfo;
import dev.wisent.wire.DocumentSequence;
import dev.wisent.wire.HostAndPort;
import dev.wisent.wire.client.CommandReplies;
import dev.wisent.wire.client.NodeClientOptions;
import dev.wisent.wire.client.NodeRequest;
import dev.wisent.wire.client.PooledNodeClient;
import dev.wisent.wire.client.RemoteErrorException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;

/** Replica sets that get the commands of a router without the versions, which they do not check. */
final class RealShards implements ShardCalls, RoutingCatalog, ReadRouting, AutoCloseable {
  private static final Set<String> OF_ROUTERS =
      Set.of("shardVersion", "databaseVersion", "routing");
  private static final Duration TIMEOUT = Duration.ofMinutes(1);

  private final BackgroundLoops loops = BackgroundLoops.silent();
  private final PooledNodeClient client =
      new PooledNodeClient(NodeClientOptions.plain("test"), loops.clock(), loops);
  private final Map<String, EmbeddedSet> sets = new TreeMap<>();
  private CollectionRouting routing;

  /** The session of the client, for retryable writes; null outside of them. */
  private RawDocument session;

  RealShards(Path directory, String... names) {
    for (String name : names) {
      sets.put(name, EmbeddedSet.start(name, 1, directory, options -> {}));
    }
  }

  void route(CollectionRouting to) {
    routing = to;
  }

  /** Fields that all writes of the client carry from now on. */
  void session(RawDocument fields) {
    session = fields;
  }

  ShardedWrites writes() {
    return new ShardedWrites(
        this,
        this::database,
        this,
        this,
        operation -> null,
        UpdateContexts.of(Clock.system(), RandomSource.system()));
  }

  /** Runs a command on one shard, with the error in the reply. */
  RawDocument run(
      String shard, String database, RawDocument command, List<DocumentSequence> sequences) {
    HostAndPort host = HostAndPort.parse(sets.get(shard).members().getFirst().address());
    return client.call(host, new NodeRequest(database, command, sequences, TIMEOUT)).join();
  }

  List<RawDocument> all(String shard, Namespace namespace) {
    return find(shard, FindRequest.of(namespace, RawDocument.EMPTY), 10_000);
  }

  private List<RawDocument> find(String shard, FindRequest request, int limit) {
    var command = new BsonBuilder();
    command.appendString("find", request.namespace().collection());
    command.appendDocument("filter", request.filter());
    command.appendDocument("sort", request.sort());
    command.appendInt32("limit", limit);
    command.appendInt32("batchSize", limit);
    if (!request.collation().isInherited()) {
      command.appendDocument("collation", request.collation().document());
    }
    RawDocument reply = run(shard, request.namespace().database(), command.toDocument(), List.of());
    CommandReplies.requireOk(reply);
    var documents = new ArrayList<RawDocument>();
    ElementCursor each = reply.get("cursor").asDocument().get("firstBatch").elements();
    while (each.next()) {
      documents.add(each.value().asDocument());
    }
    return documents;
  }

  @Override
  public ShardCall start(OperationContext operation, ShardRequest request) {
    var command = new BsonBuilder();
    ElementCursor fields = request.command().elements();
    while (fields.next()) {
      if (!OF_ROUTERS.contains(fields.name())) {
        command.appendElement(fields);
      }
    }
    if (session != null) {
      command.appendAll(session);
    }
    RawDocument reply =
        run(request.shard(), request.database(), command.toDocument(), request.sequences());
    return new DoneCall(
        request,
        CommandReplies.isOk(reply)
            ? new ShardReply(request, null, reply, null)
            : new ShardReply(request, null, null, RemoteErrorException.of(reply)));
  }

  @Override
  public void killCursor(String shard, HostAndPort host, Namespace namespace, long id) {}

  @Override
  public List<ShardInfo> shards() {
    return List.of();
  }

  @Override
  public ShardInfo shard(String name) {
    throw new UnsupportedOperationException();
  }

  @Override
  public DatabaseRouting database(String name) {
    return new DatabaseRouting(
        name, sets.keySet().iterator().next(), new DatabaseVersion(new UUID(1, 2), 3, 4));
  }

  @Override
  public CollectionRouting collection(Namespace namespace) {
    return namespace.equals(FakeShards.SHARDED) ? routing : null;
  }

  @Override
  public void staleCollection(Namespace namespace, ChunkVersion wanted) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void staleDatabase(String name, DatabaseVersion wanted) {
    throw new UnsupportedOperationException();
  }

  /** The first of all shards, in the order of ascending fields. */
  @Override
  public ResultCursor find(OperationContext operation, FindRequest request) {
    var firsts = new ArrayList<RawDocument>();
    sets.keySet().forEach(shard -> firsts.addAll(find(shard, request, 1)));
    firsts.sort(order(request.sort()));
    return new ListCursor(firsts.stream().limit(1).toList());
  }

  private static Comparator<RawDocument> order(RawDocument sort) {
    return (a, b) -> {
      ElementCursor fields = sort.elements();
      while (fields.next()) {
        int compared = ValueOrder.compare(value(a, fields.name()), value(b, fields.name()));
        if (compared != 0) {
          return compared;
        }
      }
      return 0;
    };
  }

  private static RawValue value(RawDocument document, String field) {
    RawValue value = document.get(field);
    return value == null ? RawValue.NULL : value;
  }

  @Override
  public ResultCursor aggregate(OperationContext operation, AggregateRequest request) {
    throw new UnsupportedOperationException();
  }

  @Override
  public ResultCursor over(
      OperationContext operation, AggregateRequest request, List<RawDocument> documents) {
    throw new UnsupportedOperationException();
  }

  @Override
  public long count(OperationContext operation, CountRequest request) {
    throw new UnsupportedOperationException();
  }

  @Override
  public List<RawValue> distinct(OperationContext operation, DistinctRequest request) {
    throw new UnsupportedOperationException();
  }

  @Override
  public RawDocument explain(OperationContext operation, ExplainRequest request) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void close() {
    client.close();
    sets.values().forEach(EmbeddedSet::close);
  }
}
