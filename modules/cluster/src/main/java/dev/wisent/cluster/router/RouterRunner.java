package dev.wisent.cluster.router;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.cluster.call.RoutedOperation;
import dev.wisent.cluster.call.RoutedTransaction;
import dev.wisent.cluster.call.ShardCalls;
import dev.wisent.cluster.call.StaleRetry;
import dev.wisent.cluster.router.Places.Place;
import dev.wisent.cluster.router.Routes.Route;
import dev.wisent.cluster.router.diagnostic.RouterSources;
import dev.wisent.cluster.router.diagnostic.TargetCounts;
import dev.wisent.cluster.router.statistics.GatheredCommands;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.QueryContexts;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.command.CommandSpec;
import dev.wisent.server.command.TransactionArguments;
import dev.wisent.server.command.concern.ReadConcern;
import dev.wisent.server.dispatch.CommandRunner;
import dev.wisent.server.operation.RunningOperation;
import dev.wisent.sharding.CollectionRouting;
import dev.wisent.sharding.RoutingCatalog;
import dev.wisent.sharding.ShardTargeter;
import dev.wisent.sharding.ShardTargets;
import dev.wisent.storage.StorageException;
import java.util.List;
import java.util.Set;

/**
 * Runs commands on a router: what is for one shard goes there as it came, what is for several runs
 * here over all of them, and what changes a sharded collection is the config servers' to do.
 */
final class RouterRunner implements CommandRunner {
  /** Those whose one filter says what they are for. */
  private static final Set<String> FILTERED = Set.of("find", "count", "distinct");

  private final RoutingCatalog catalog;
  private final JoinRouting joins;
  private final Places places;
  private final Forwarder forwarder;
  private final WriteForwarding writes;
  private final ConfigForwarding config;
  private final RouterTransactions transactions;
  private final GatheredCommands gathered;
  private final RouterTimes times;
  private final SnapshotTimes snapshots;
  private final TargetCounts targets;
  private final ClusterConcerns concerns;
  private final StaleRetry retry;
  private final TransactionStatements statements;

  RouterRunner(
      RoutingCatalog catalog,
      Places places,
      Forwarder forwarder,
      ConfigForwarding config,
      GatheredCommands gathered,
      RouterTransactions transactions,
      RouterTimes times,
      SnapshotTimes snapshots,
      TargetCounts targets,
      ClusterConcerns concerns) {
    this.catalog = catalog;
    this.joins = new JoinRouting(catalog);
    this.places = places;
    this.forwarder = forwarder;
    this.writes = new WriteForwarding(forwarder);
    this.config = config;
    this.transactions = transactions;
    this.gathered = gathered;
    this.times = times;
    this.snapshots = snapshots;
    this.targets = targets;
    this.concerns = concerns;
    this.retry = new StaleRetry(catalog);
    this.statements = new TransactionStatements(transactions, retry);
  }

  @Override
  public boolean takesTransactionNumbers() {
    return true;
  }

  /** Shards find collections by their UUIDs. */
  @Override
  public CommandRequest named(CommandRequest request, CommandSpec spec) {
    return OwnReads.limited(concerns.applyTo(request, spec));
  }

  @Override
  public void run(RunningOperation operation, BsonBuilder reply) {
    CommandRequest request = operation.request();
    OperationContext context = operation.context();
    if (request.clusterTime() != null) {
      times.receivedFrom(request.clusterTime(), context.clock());
    }
    // Members log in as a user of that database.
    if (request.database().equals("local") && !request.name().startsWith("sasl")) {
      throw new CommandException(
          ErrorCode.ILLEGAL_OPERATION, "Can't use 'local' database through mongos");
    }
    if (request.routing() != null) {
      throw new CommandException(
          ErrorCode.INVALID_OPTIONS, "'routing' is what a router says to a shard");
    }
    RoutedOperation routed = RoutedOperation.attach(context, request);
    if (TransactionArguments.isStatement(request, operation.spec())) {
      RoutedTransaction transaction = transactions.of(request, context);
      routed.transaction(transaction);
      statements.run(operation, transaction, reply, () -> route(operation, reply));
    } else if (Routes.of(operation.spec().name()) == Route.LOCAL) {
      runHere(operation, reply);
    } else {
      int start = reply.position();
      retry.run(
          context,
          () -> {
            // A pipeline that writes may find out when its reply has begun.
            reply.truncateToOutermost(start);
            route(operation, reply);
            return null;
          });
    }
  }

  private void route(RunningOperation operation, BsonBuilder reply) {
    switch (Routes.of(operation.spec().name())) {
      case LOCAL -> runHere(operation, reply);
      case DATABASE -> toDatabase(operation, reply);
      case COLLECTION -> toCollection(operation, reply);
    }
  }

  private void runHere(RunningOperation operation, BsonBuilder reply) {
    // A shard checks that of what is forwarded.
    ReadConcern concern = ReadConcern.of(operation.request(), operation.spec());
    if (concern != null && !operation.request().isInTransaction()) {
      fixReadTime(operation);
    }
    var context = new CommandContext(operation.client(), operation.context());
    operation.spec().command().run(operation.request(), context, reply);
    RawDocument unfulfilled = RoutedOperation.of(operation.context()).writeConcernError();
    if (unfulfilled != null) {
      reply.appendDocument("writeConcernError", unfulfilled);
    }
  }

  /** Reads of several shards are of one time, which the reply tells. */
  private void fixReadTime(RunningOperation operation) {
    OperationContext context = operation.context();
    context.readPoint(snapshots.readPoint(operation.request().readConcern(), context));
  }

  private void toDatabase(RunningOperation operation, BsonBuilder reply) {
    String database = operation.request().database();
    forward(operation, places.ofDatabase(operation.context(), database, false), reply);
  }

  private void toCollection(RunningOperation operation, BsonBuilder reply) {
    CommandRequest request = operation.request();
    String command = operation.spec().name();
    Namespace namespace = namespace(request);
    if (Pipelines.isStream(request)) {
      // Of every shard: a collection may be sharded later, or move.
      runHere(operation, reply);
      return;
    }
    if (namespace == null && RouterSources.answers(Pipelines.firstStage(request.body()))) {
      runHere(operation, reply);
      return;
    }
    if (Places.isOfConfigServers(request.database())) {
      ProtectedMetadata.check(operation, namespace);
      forward(operation, new Place(ShardCalls.CONFIG, RawDocument.EMPTY), reply);
      return;
    }
    CollectionRouting collection =
        namespace == null ? null : catalog.collection(operation.context(), namespace);
    if (GatheredCommands.has(command) && namespace != null) {
      gather(operation, namespace, collection, reply);
      return;
    }
    if (collection == null && isOfOthers(operation)) {
      // The other collections may be sharded, and plans are shown by shard.
      runHere(operation, reply);
    } else if (collection == null) {
      targets.unsharded(command);
      toPrimaryShard(operation, namespace, reply);
    } else if (Routes.isSpread(command)) {
      toShards(operation, collection, reply);
    } else if (Routes.coordinated(command) != null
        && !RoutedOperation.isStatement(operation.context())) {
      coordinate(operation, namespace, reply);
    } else if (command.equals("create")) {
      // The primary shard has every collection of the database, and tells whether it is this one.
      String shard = places.existing(operation.context(), namespace.database()).primaryShard();
      forward(operation, Places.ofShard(collection, shard), reply);
    } else if (command.equals("listIndexes") || Routes.coordinated(command) != null) {
      // In a transaction a shard tells whether there is such an index, or that none can be made.
      String shard = collection.table().shards().iterator().next();
      forward(operation, Places.ofShard(collection, shard), reply);
    } else {
      throw new CommandException(
          ErrorCode.COMMAND_NOT_SUPPORTED,
          command + " is not supported for the sharded collection " + namespace.full() + " yet");
    }
  }

  /** Asks all shards of a collection; those of one that is not sharded are its primary one. */
  private void gather(
      RunningOperation operation,
      Namespace namespace,
      CollectionRouting collection,
      BsonBuilder reply) {
    List<Place> shards =
        collection == null
            ? List.of(places.ofDatabase(operation.context(), namespace.database(), false))
            : collection.table().shards().stream()
                .sorted()
                .map(shard -> Places.ofShard(collection, shard))
                .toList();
    gathered.run(
        operation.context(),
        operation.spec().name(),
        operation.request().body(),
        namespace,
        collection,
        shards.stream()
            .map(place -> new GatheredCommands.Part(place.shard(), place.versions()))
            .toList(),
        reply);
  }

  /** Whether more than the collection itself decides where a command is run. */
  private boolean isOfOthers(RunningOperation operation) {
    CommandRequest request = operation.request();
    return switch (operation.spec().name()) {
      case "aggregate" ->
          joins.isForRouter(operation.context(), request, request.body()) || reports(request);
      case "explain" -> isExplainedHere(operation.context(), request);
      case "mapReduce" -> {
        Namespace into = Pipelines.mapReduceTarget(request);
        yield into != null
            && (!into.database().equals(request.database())
                || catalog.collection(operation.context(), into) != null);
      }
      default -> false;
    };
  }

  /** Plans of queries are shown by shard, and those of pipelines where these run. */
  private boolean isExplainedHere(OperationContext operation, CommandRequest request) {
    RawDocument aggregate = Pipelines.explainedAggregate(request);
    return aggregate == null
        ? Pipelines.isQueryExplained(request)
            && catalog.database(operation, request.database()) != null
        : joins.isForRouter(operation, request, aggregate);
  }

  /** Without a collection each shard has nothing to report but that of the database. */
  private static boolean reports(CommandRequest aggregate) {
    return namespace(aggregate) != null && Pipelines.reports(aggregate.body());
  }

  private void toPrimaryShard(RunningOperation operation, Namespace namespace, BsonBuilder reply) {
    String command = operation.spec().name();
    boolean create = Routes.createsDatabase(command);
    String database = operation.request().database();
    try {
      forward(operation, places.ofDatabase(operation.context(), database, create), reply);
    } catch (CommandException e) {
      if (!Routes.isRead(command) || !RoutedOperation.isForRouter(e)) {
        throw e;
      }
      RawDocument view = RoutedOperation.viewOf(e);
      if (view != null) {
        RoutedOperation.of(operation.context()).isOfView(namespace, view);
      }
      runHere(operation, reply);
    }
  }

  /** The config servers may know that the collection is not sharded any more. */
  private void coordinate(RunningOperation operation, Namespace namespace, BsonBuilder reply) {
    String command = Routes.coordinated(operation.spec().name());
    try {
      config.forward(operation, command, namespace.full(), reply);
    } catch (CommandException e) {
      catalog.staleCollection(namespace, null);
      if (e.code() != ErrorCode.NAMESPACE_NOT_SHARDED
          || catalog.collection(operation.context(), namespace) != null) {
        throw e;
      }
      toPrimaryShard(operation, namespace, reply);
    }
  }

  private void toShards(RunningOperation operation, CollectionRouting collection, BsonBuilder to) {
    String command = operation.spec().name();
    int owners = collection.table().shardCount();
    String only = onlyShard(operation, collection);
    if (only != null) {
      targets.sharded(command, 1, owners);
      forward(operation, Places.ofShard(collection, only), to);
      return;
    }
    if (writes.forward(operation, collection, to)) {
      targets.sharded(command, 1, owners);
      return;
    }
    runHere(operation, to);
    targets.sharded(command, RoutedOperation.of(operation.context()).shardCount(), owners);
  }

  /** The shard that a read is for; null where there are several, and for writes. */
  private static String onlyShard(RunningOperation operation, CollectionRouting collection) {
    String command = operation.spec().name();
    RawDocument body = operation.request().body();
    RawValue filter =
        switch (command) {
          case "find" -> body.get("filter");
          case "count", "distinct" -> body.get("query");
          default -> null;
        };
    boolean simple =
        FILTERED.contains(command) && body.get("collation") == null && body.get("let") == null;
    if (!simple || !collection.defaultCollation().isEmpty()) {
      return null;
    }
    if (filter != null && !filter.isDocument()) {
      return null;
    }
    RawDocument conditions = filter == null ? RawDocument.EMPTY : filter.asDocument();
    long time = SnapshotTimes.given(operation.request());
    ShardTargets targets =
        new ShardTargeter(collection.at(time).table(), time)
            .ofFilter(conditions, QueryContexts.of(operation.context()));
    return targets.isOneShard() ? targets.shards().iterator().next() : null;
  }

  private void forward(RunningOperation operation, Place place, BsonBuilder reply) {
    snapshots.keep(operation.request(), operation.context());
    forwarder.forward(operation, place.shard(), place.versions(), reply);
  }

  /** What a command is about; null for one that names no collection. */
  private static Namespace namespace(CommandRequest request) {
    RawValue named = request.argument();
    if (request.name().equals("explain") && named.isDocument()) {
      ElementCursor inner = named.elements();
      if (!inner.next()) {
        return null;
      }
      named = inner.value();
    }
    if (request.name().equalsIgnoreCase("dataSize") && named.isString()) {
      return Namespace.parse(named.asString());
    }
    return named.isString() && !named.asString().isEmpty()
        ? Namespace.inCheckedDatabase(request.database(), named.asString())
        : null;
  }

  @Override
  public void stateChanged(int errorCode, BsonBuilder reply) {}

  @Override
  public void end(OperationContext operation, int errorCode, BsonBuilder reply) {
    times.appendTo(reply, operation);
  }

  @Override
  public CommandException faultOf(RuntimeException thrown) {
    // Of the files that a large merge writes.
    return thrown instanceof StorageException fault
        ? new CommandException(
            fault.kind() == StorageException.Kind.FULL
                ? ErrorCode.OUT_OF_DISK_SPACE
                : ErrorCode.INTERNAL_ERROR,
            fault.getMessage())
        : null;
  }
}
