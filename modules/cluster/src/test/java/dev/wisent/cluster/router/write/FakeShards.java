package dev.wisent.cluster.router.write;

import dev.wisent.base.Clock;
import dev.wisent.base.CommandException;
import dev.wisent.base.RandomSource;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueText;
import dev.wisent.cluster.call.ShardCall;
import dev.wisent.cluster.call.ShardCalls;
import dev.wisent.cluster.call.ShardReply;
import dev.wisent.cluster.call.ShardRequest;
import dev.wisent.cluster.router.read.ReadRouting;
import dev.wisent.operation.AggregateRequest;
import dev.wisent.operation.CountRequest;
import dev.wisent.operation.DistinctRequest;
import dev.wisent.operation.ExplainRequest;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.ListCursor;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.ReadPoint;
import dev.wisent.operation.ResultCursor;
import dev.wisent.operation.UpdateContexts;
import dev.wisent.sharding.Chunk;
import dev.wisent.sharding.ChunkRange;
import dev.wisent.sharding.ChunkVersion;
import dev.wisent.sharding.CollectionRouting;
import dev.wisent.sharding.DatabaseRouting;
import dev.wisent.sharding.DatabaseVersion;
import dev.wisent.sharding.RoutingCatalog;
import dev.wisent.sharding.RoutingTable;
import dev.wisent.sharding.ShardInfo;
import dev.wisent.sharding.ShardKeyPattern;
import dev.wisent.wire.HostAndPort;
import dev.wisent.wire.client.CommandReplies;
import dev.wisent.wire.client.RemoteErrorException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.bson.types.ObjectId;

/**
 * Shards that answer as a test says, and note what they get. The collection {@code db.c} has the
 * key {@code k}: below 10 it is on {@code a}, below 20 on {@code b}, else on {@code c}.
 */
final class FakeShards implements ShardCalls, RoutingCatalog, ReadRouting {
  static final Namespace SHARDED = new Namespace("db", "c");
  static final Namespace PLAIN = new Namespace("db", "plain");
  private static final ObjectId EPOCH = new ObjectId("0123456789abcdef01234567");

  /** What was sent, as {@code shard: command [statements]}. */
  final List<String> sent = new ArrayList<>();

  final List<RawDocument> commands = new ArrayList<>();
  final List<FindRequest> finds = new ArrayList<>();

  /** What each of them read. */
  final List<ReadPoint> readPoints = new ArrayList<>();

  /** A time that all shards can read at; null where there is none. */
  ReadPoint snapshot;

  final List<String> stale = new ArrayList<>();
  private final Map<String, Deque<Object>> replies = new HashMap<>();
  private final Deque<List<RawDocument>> found = new ArrayDeque<>();
  private CollectionRouting routing = routing("{k: 1}", "a", 10, "b", 20, "c");

  /** What a refresh after a stale version brings. */
  private CollectionRouting refreshed;

  ShardedWrites writes() {
    return new ShardedWrites(
        this,
        this::database,
        this,
        this,
        operation -> snapshot,
        UpdateContexts.of(Clock.system(), RandomSource.system()));
  }

  /** Shards with the bounds between them. */
  static CollectionRouting routing(String key, Object... shardsAndBounds) {
    ShardKeyPattern pattern = ShardKeyPattern.of(RawDocument.parse(key));
    String field = pattern.pattern().elements().next() ? firstField(pattern) : "";
    var chunks = new ArrayList<Chunk>();
    RawDocument min = pattern.globalMin();
    for (int i = 0; i < shardsAndBounds.length; i += 2) {
      RawDocument max =
          i + 1 < shardsAndBounds.length
              ? RawDocument.parse("{'" + field + "': " + shardsAndBounds[i + 1] + "}")
              : pattern.globalMax();
      chunks.add(
          new Chunk(
              new ChunkRange(min, max),
              (String) shardsAndBounds[i],
              new ChunkVersion(EPOCH, 1, i + 1, 0),
              false));
      min = max;
    }
    return new CollectionRouting(
        SHARDED,
        UUID.randomUUID(),
        pattern,
        false,
        RawDocument.EMPTY,
        RoutingTable.of(pattern, new ChunkVersion(EPOCH, 1, 0, 0), chunks));
  }

  private static String firstField(ShardKeyPattern pattern) {
    ElementCursor fields = pattern.pattern().elements();
    fields.next();
    return fields.name();
  }

  FakeShards routed(CollectionRouting to) {
    routing = to;
    return this;
  }

  FakeShards refreshedTo(CollectionRouting to) {
    refreshed = to;
    return this;
  }

  /** The next reply of a shard; without one it does all that it is asked for. */
  FakeShards reply(String shard, String json) {
    replies.computeIfAbsent(shard, unused -> new ArrayDeque<>()).add(RawDocument.parse(json));
    return this;
  }

  FakeShards fail(String shard, CommandException error) {
    replies.computeIfAbsent(shard, unused -> new ArrayDeque<>()).add(error);
    return this;
  }

  /** What the next search finds. */
  FakeShards finds(String... documents) {
    found.add(List.of(documents).stream().map(RawDocument::parse).toList());
    return this;
  }

  @Override
  public ShardCall start(OperationContext operation, ShardRequest request) {
    String statements =
        request.sequences().stream()
            .flatMap(sequence -> sequence.documents().stream())
            .map(FakeShards::shown)
            .collect(Collectors.joining(" "));
    ElementCursor command = request.command().elements();
    command.next();
    sent.add(request.shard() + ": " + command.name() + " " + statements);
    commands.add(request.command());
    Deque<Object> prepared = replies.getOrDefault(request.shard(), new ArrayDeque<>());
    Object next = prepared.isEmpty() ? success(request) : prepared.poll();
    return new DoneCall(request, reply(request, next));
  }

  private static ShardReply reply(ShardRequest request, Object next) {
    return switch (next) {
      case CommandException error -> new ShardReply(request, null, null, error);
      case RawDocument body when body.get("ok") != null && !CommandReplies.isOk(body) ->
          new ShardReply(request, null, null, RemoteErrorException.of(body));
      default -> new ShardReply(request, null, (RawDocument) next, null);
    };
  }

  private static String shown(RawDocument statement) {
    RawValue query = statement.get("q");
    RawValue id = statement.get("_id");
    return query != null ? query.asDocument().toJson() : id == null ? "?" : ValueText.of(id);
  }

  private static RawDocument success(ShardRequest request) {
    int count = request.sequences().stream().mapToInt(each -> each.documents().size()).sum();
    return RawDocument.parse("{n: " + count + ", nModified: " + count + ", ok: 1}");
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
    return new DatabaseRouting(name, "a", new DatabaseVersion(new UUID(1, 2), 3, 4));
  }

  @Override
  public CollectionRouting collection(Namespace namespace) {
    return namespace.equals(SHARDED) ? routing : null;
  }

  @Override
  public void staleCollection(Namespace namespace, ChunkVersion wanted) {
    stale.add(namespace.full());
    routing = refreshed == null ? routing : refreshed;
  }

  @Override
  public void staleDatabase(String name, DatabaseVersion wanted) {
    stale.add(name);
  }

  @Override
  public ResultCursor find(OperationContext operation, FindRequest request) {
    finds.add(request);
    readPoints.add(operation.readPoint());
    return new ListCursor(found.isEmpty() ? List.of() : found.poll());
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
}
