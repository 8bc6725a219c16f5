package dev.wisent.cluster.call;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.StoreAttachment;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.sharding.ShardedViewException;
import dev.wisent.wire.client.HostSelector;
import dev.wisent.wire.client.RemoteErrorException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What a router keeps with an operation: the client's request, and what the replies say beside the
 * results.
 */
public final class RoutedOperation implements StoreAttachment {
  private final CommandRequest request;
  private volatile RoutedTransaction transaction;
  private Namespace viewName;
  private RawDocument resolvedView;
  private volatile boolean wrote;
  private volatile long operationTime;
  private final Set<Namespace> checkedCollations = new HashSet<>(); // guarded by this
  private final List<String> shards = new ArrayList<>(2);
  private final List<WriteConcernErrors.OfShard> writeConcernErrors = new ArrayList<>(0);

  /** Null unless a shard has replied to the whole command with errors. */
  private ShardReply forwarded;

  private RoutedOperation(CommandRequest request) {
    this.request = request;
  }

  /** Attaches a client's request to its operation. */
  public static RoutedOperation attach(OperationContext operation, CommandRequest request) {
    var routed = new RoutedOperation(request);
    operation.attachment(routed);
    return routed;
  }

  /** What is attached to an operation; null for one of the router's own. */
  public static RoutedOperation of(OperationContext operation) {
    return (RoutedOperation) operation.attachment();
  }

  /** The request as the client sent it. */
  public CommandRequest request() {
    return request;
  }

  /** The transaction that the operation is a statement of; null for any other. */
  public RoutedTransaction transaction() {
    return transaction;
  }

  public void transaction(RoutedTransaction statementOf) {
    transaction = statementOf;
  }

  /** Whether an operation is a statement of a transaction. */
  public static boolean isStatement(OperationContext operation) {
    RoutedOperation routed = of(operation);
    return routed != null && routed.transaction != null;
  }

  /** Whether a shard says that it has but a part of what a pipeline or view reads. */
  public static boolean isForRouter(CommandException error) {
    return error instanceof RemoteErrorException remote
        && remote.code() == ErrorCode.COMMAND_ON_SHARDED_VIEW_NOT_SUPPORTED_ON_MONGOD;
  }

  /** What an error of a shard says of a view; null if it is about something else. */
  public static RawDocument viewOf(CommandException error) {
    return isForRouter(error)
        ? ShardedViewException.viewOf(((RemoteErrorException) error).reply())
        : null;
  }

  /** Notes what a shard has said of the view that the client's request is about. */
  public void isOfView(Namespace namespace, RawDocument view) {
    viewName = namespace;
    resolvedView = view;
  }

  /** What a shard has said of a view; null where it has not. */
  public RawDocument view(Namespace namespace) {
    return namespace.equals(viewName) ? resolvedView : null;
  }

  /** Whether a collation is asked for the first time whether it is that of a view. */
  public synchronized boolean checksCollation(Namespace namespace) {
    return checkedCollations.add(namespace);
  }

  /** The members that the client allows to answer reads. */
  public HostSelector readers() {
    RawValue preference = request.body().get("$readPreference");
    return preference == null || request.isInTransaction()
        ? HostSelector.primary()
        : HostSelector.parse(preference.asDocument());
  }

  /** Keeps the reply of the shard that has got the whole command, for what goes on from there. */
  public void forwarded(ShardReply reply) {
    forwarded = reply;
  }

  /** That reply, once; null if there is none. */
  public ShardReply takeForwarded() {
    ShardReply taken = forwarded;
    forwarded = null;
    return taken;
  }

  /** Notes a shard's reply and its time. */
  synchronized void received(String shard, RawDocument reply, boolean write) {
    wrote |= write;
    if (!shards.contains(shard)) {
      shards.add(shard);
    }
    RawValue time = reply.get("operationTime");
    if (time != null
        && time.type() == ElementType.TIMESTAMP
        && Long.compareUnsigned(time.asInt64(), operationTime) > 0) {
      operationTime = time.asInt64();
    }
  }

  /** How many shards have replied. */
  public synchronized int shardCount() {
    return shards.size();
  }

  /** Takes the {@code writeConcernError} of a shard's reply, where there is one. */
  public void takeWriteConcernError(String shard, RawDocument reply) {
    RawValue error = reply.get("writeConcernError");
    if (error != null && error.isDocument()) {
      writeConcernErrors.add(new WriteConcernErrors.OfShard(shard, error.asDocument()));
    }
  }

  /** Those of all shards as one, for the client's reply; null if there are none. */
  public RawDocument writeConcernError() {
    return WriteConcernErrors.combined(writeConcernErrors);
  }

  @Override
  public boolean hasWritten() {
    return wrote;
  }

  /** The newest {@code operationTime} that a shard has replied with; 0 if none did. */
  @Override
  public long lastWriteTime() {
    return operationTime;
  }
}
