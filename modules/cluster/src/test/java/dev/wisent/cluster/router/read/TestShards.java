package dev.wisent.cluster.router.read;

import dev.wisent.Wisent;
import dev.wisent.base.Clock;
import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.RandomSource;
import dev.wisent.base.loop.BackgroundLoops;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.cluster.call.ShardCall;
import dev.wisent.cluster.call.ShardCalls;
import dev.wisent.cluster.call.ShardReply;
import dev.wisent.cluster.call.ShardRequest;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.ResultCursor;
import dev.wisent.operation.SortSettings;
import dev.wisent.pipeline.sort.MemoryBudget;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.collation.CollationChoice;
import dev.wisent.query.match.MatchExpression;
import dev.wisent.storage.TemporaryFiles;
import dev.wisent.wire.HostAndPort;
import dev.wisent.wire.client.CommandReplies;
import dev.wisent.wire.client.NodeClient;
import dev.wisent.wire.client.NodeClientOptions;
import dev.wisent.wire.client.NodeRequest;
import dev.wisent.wire.client.PooledNodeClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.function.IntUnaryOperator;

/**
 * Databases of one server in the place of shards: what a shard would have in the database {@code
 * test} is in the one that has the shard's name. The database {@link #WHOLE} has all documents.
 */
final class TestShards implements ShardCalls, ReadTargets, AutoCloseable {
  static final Namespace COLLECTION = new Namespace("test", "c");
  static final String WHOLE = "whole";

  /** What is not sharded is on the first shard. */
  private static final Set<String> SHARDED = Set.of("c", "t");

  private static final Duration TIMEOUT = Duration.ofMinutes(1);

  private final Wisent server = Wisent.start();
  private final HostAndPort host = HostAndPort.parse("localhost:" + server.port());
  private final NodeClient client =
      new PooledNodeClient(
          NodeClientOptions.plain("test"), Clock.system(), BackgroundLoops.silent());
  private final List<String> shards;
  private final Set<String> unreachable = new HashSet<>();
  private final List<ShardRequest> sent = new ArrayList<>();
  private final List<Long> killed = new ArrayList<>();
  private Collation collation;

  TestShards(int count) {
    var names = new ArrayList<String>();
    for (int i = 0; i < count; i++) {
      names.add("s" + i);
    }
    shards = List.copyOf(names);
  }

  List<String> shards() {
    return shards;
  }

  /** Creates the collection everywhere. */
  void create(String options) {
    forEachDatabase(
        database -> {
          run(database, "{drop: 'c'}");
          run(database, "{create: 'c', " + options + "}");
        });
    RawValue given = RawDocument.parse("{" + options + "}").get("collation");
    collation = given == null ? null : Collation.parse(given.asDocument());
  }

  void forEachDatabase(Consumer<String> action) {
    action.accept(WHOLE);
    shards.forEach(action);
  }

  /** Inserts a document into the whole and into a shard. */
  void insert(int shard, RawDocument document) {
    insert(shard, "c", List.of(document));
  }

  void insert(int shard, String collection, List<RawDocument> documents) {
    insert(WHOLE, collection, documents);
    insert(shards.get(shard), collection, documents);
  }

  private void insert(String database, String collection, List<RawDocument> documents) {
    var command = new BsonBuilder().appendString("insert", collection);
    command.startArray("documents");
    for (int i = 0; i < documents.size(); i++) {
      command.appendDocument(i, documents.get(i));
    }
    command.end();
    RawDocument reply = run(database, command.toDocument());
    if (reply.get("writeErrors") != null) {
      throw new IllegalStateException(reply.toJson());
    }
  }

  /** Inserts documents into the whole, and each into one of the shards. */
  void spread(List<RawDocument> documents, IntUnaryOperator shardOf) {
    insert(WHOLE, "c", documents);
    for (int shard = 0; shard < shards.size(); shard++) {
      var own = new ArrayList<RawDocument>();
      for (int i = 0; i < documents.size(); i++) {
        if (shardOf.applyAsInt(i) == shard) {
          own.add(documents.get(i));
        }
      }
      if (!own.isEmpty()) {
        insert(shards.get(shard), "c", own);
      }
    }
  }

  RawDocument run(String database, String command) {
    return run(database, RawDocument.parse(command));
  }

  /** A command on a database of the server; fails with its error but for a missing collection. */
  RawDocument run(String database, RawDocument command) {
    RawDocument reply = client.call(host, NodeRequest.of(database, command, TIMEOUT)).join();
    CommandReplies.requireOk(reply);
    return reply;
  }

  /** From now on a shard does not answer. */
  void cutOff(String shard) {
    unreachable.add(shard);
  }

  void forgetSent() {
    sent.clear();
  }

  List<ShardRequest> sent() {
    return sent;
  }

  List<Long> killed() {
    return killed;
  }

  static SortSettings sorting() {
    return new SortSettings(TemporaryFiles.ofSystem(), MemoryBudget.ofHeap());
  }

  static OperationContext operation() {
    return new OperationContext(Clock.system(), RandomSource.system(), () -> false);
  }

  /** The find of a command. */
  static FindRequest find(RawDocument command) {
    var find = new FindRequest.Builder();
    ElementCursor fields = command.elements();
    while (fields.next()) {
      RawValue value = fields.value();
      switch (fields.name()) {
        case "filter" -> find.filter(value.asDocument());
        case "projection" -> find.projection(value.asDocument());
        case "sort" -> find.sort(value.asDocument());
        case "skip" -> find.skip(value.toLong());
        case "limit" -> find.limit(value.toLong());
        case "batchSize" -> find.batchSize(value.toLong());
        case "returnKey" -> find.returnKey(value.isTruthy());
        case "hint" -> find.hint(value);
        case "allowPartialResults" -> find.partialResults(value.isTruthy());
        case "collation" -> find.collation(CollationChoice.of(value.asDocument()));
        default -> {}
      }
    }
    return find.build(COLLECTION);
  }

  static List<RawDocument> drain(ResultCursor cursor) {
    var documents = new ArrayList<RawDocument>();
    try (cursor) {
      for (RawDocument next; (next = cursor.peek()) != null; cursor.take()) {
        documents.add(next.detached());
      }
    }
    return documents;
  }

  /** All documents that a command gives over the whole collection. */
  List<RawDocument> whole(RawDocument command) {
    RawDocument reply = run(WHOLE, command);
    RawDocument cursor = reply.get("cursor").asDocument();
    var documents = new ArrayList<>(documents(cursor.get("firstBatch")));
    long id = cursor.get("id").asInt64();
    while (id != 0) {
      cursor =
          run(WHOLE, "{getMore: {$numberLong: '" + id + "'}, collection: 'c'}")
              .get("cursor")
              .asDocument();
      documents.addAll(documents(cursor.get("nextBatch")));
      id = cursor.get("id").asInt64();
    }
    return documents;
  }

  private static List<RawDocument> documents(RawValue array) {
    var documents = new ArrayList<RawDocument>();
    ElementCursor elements = array.elements();
    while (elements.next()) {
      documents.add(elements.value().asDocument());
    }
    return documents;
  }

  @Override
  public Collation collation(Namespace namespace) {
    return collation;
  }

  @Override
  public boolean isSharded(Namespace namespace) {
    return SHARDED.contains(namespace.collection());
  }

  @Override
  public ReadTarget ofDocument(Namespace namespace, RawDocument document) {
    int shard = isSharded(namespace) ? (int) (document.get("_id").toLong() % shards.size()) : 0;
    return new ReadTarget(shards.get(shard), RawDocument.EMPTY);
  }

  @Override
  public String connectionString(String shard) {
    return shard + "/" + host;
  }

  @Override
  public List<ReadTarget> of(
      OperationContext operation, Namespace namespace, MatchExpression filter, Collation with) {
    List<String> there = isSharded(namespace) ? shards : shards.subList(0, 1);
    return there.stream().map(shard -> new ReadTarget(shard, RawDocument.EMPTY)).toList();
  }

  @Override
  public ShardCall start(OperationContext operation, ShardRequest request) {
    sent.add(request);
    String database = request.database().equals("test") ? request.shard() : request.database();
    CompletableFuture<RawDocument> future =
        unreachable.contains(request.shard())
            ? CompletableFuture.failedFuture(
                new CommandException(ErrorCode.HOST_UNREACHABLE, request.shard() + " is down"))
            : client.call(host, NodeRequest.of(database, request.command(), TIMEOUT));
    return new Call(request, future);
  }

  @Override
  public void killCursor(String shard, HostAndPort at, Namespace namespace, long id) {
    killed.add(id);
    run(
        namespace.database(),
        "{killCursors: '" + namespace.collection() + "', cursors: [{$numberLong: '" + id + "'}]}");
  }

  @Override
  public void close() {
    client.close();
    server.close();
  }

  private final class Call implements ShardCall {
    private final ShardRequest request;
    private final CompletableFuture<RawDocument> future;

    Call(ShardRequest request, CompletableFuture<RawDocument> future) {
      this.request = request;
      this.future = future;
    }

    @Override
    public ShardRequest request() {
      return request;
    }

    @Override
    public ShardReply await(OperationContext operation) {
      try {
        RawDocument reply = future.join();
        CommandReplies.requireOk(reply);
        return new ShardReply(request, host, reply, null);
      } catch (CompletionException e) {
        return new ShardReply(request, host, null, (CommandException) e.getCause());
      } catch (CommandException e) {
        return new ShardReply(request, host, null, e);
      }
    }

    @Override
    public void whenDone(Runnable action) {
      var unused = future.whenComplete((reply, failure) -> action.run());
    }

    @Override
    public boolean isDone() {
      return future.isDone();
    }

    @Override
    public void cancel() {
      future.cancel(true);
    }
  }
}
