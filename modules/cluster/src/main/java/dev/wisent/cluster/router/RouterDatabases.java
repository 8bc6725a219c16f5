package dev.wisent.cluster.router;

import dev.wisent.base.Clock;
import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.operation.OperationContext;
import dev.wisent.sharding.DatabaseRouting;
import dev.wisent.sharding.RoutingCatalog;

/** The databases of the cluster, which the config servers create before the first write. */
final class RouterDatabases {
  private static final long CREATE_MILLIS_MAX = 30_000;

  private final RoutingCatalog catalog;
  private final ShardCalls calls;
  private final Clock clock;

  RouterDatabases(RoutingCatalog catalog, ShardCalls calls, Clock clock) {
    this.catalog = catalog;
    this.calls = calls;
    this.clock = clock;
  }

  /** The routing of a database, which is created where it does not exist. */
  DatabaseRouting required(String name) {
    DatabaseRouting known = catalog.database(name);
    if (known != null) {
      return known;
    }
    OperationContext operation = OperationContext.internal(clock);
    operation.limitMillis(CREATE_MILLIS_MAX);
    var command = new BsonBuilder().appendString("_configsvrCreateDatabase", name);
    command.startDocument("writeConcern").appendString("w", "majority").end();
    calls.call(operation, ShardRequest.control(ShardCalls.CONFIG, "admin", command.toDocument()));
    catalog.staleDatabase(name, null);
    DatabaseRouting created = catalog.database(name);
    if (created == null) {
      throw new CommandException(
          ErrorCode.NAMESPACE_NOT_FOUND, "database " + name + " was dropped meanwhile");
    }
    return created;
  }
}
