package dev.wisent.server.command.collection;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.NodeDatabase;
import dev.wisent.database.collection.Collection;
import dev.wisent.database.collection.Index;
import dev.wisent.database.explain.PlanCacheDocument;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.PipelineSources;
import dev.wisent.pipeline.Pipeline;
import dev.wisent.server.HostNames;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.diagnostic.CurrentOpSource;
import dev.wisent.server.session.SessionRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntSupplier;

/** The stages that report on the server: {@code $currentOp}, {@code $collStats} and the like. */
public final class ServerSources implements PipelineSources {
  private final NodeDatabase database;
  private final CollStatsSource statistics;
  private final CurrentOpSource operations;
  private final SessionRegistry sessions;
  private final IntSupplier port;
  private final CatalogSources catalog;

  public ServerSources(
      NodeDatabase database,
      CollStatsSource statistics,
      CurrentOpSource operations,
      SessionRegistry sessions,
      IntSupplier port) {
    this.port = port;
    this.database = database;
    this.statistics = statistics;
    this.operations = operations;
    this.sessions = sessions;
    this.catalog = new CatalogSources(database);
  }

  @Override
  public List<RawDocument> documents(
      Pipeline pipeline, Namespace namespace, OperationContext operation) {
    return switch (pipeline.source()) {
      case "$currentOp" -> operations.documents(namespace, pipeline.sourceArgument(), operation);
      case "$collStats" ->
          List.of(statistics.document(namespace, pipeline.sourceArgument(), operation));
      case "$indexStats" -> indexStats(namespace);
      case "$listLocalSessions" -> sessions(pipeline.source(), pipeline.sourceArgument());
      case "$listSessions" -> storedSessions(namespace, pipeline.sourceArgument());
      case "$listCatalog" -> catalog.catalog(namespace);
      case "$listClusterCatalog" -> catalog.clusterCatalog(namespace, pipeline.sourceArgument());
      case "$querySettings" -> querySettings(namespace, pipeline.sourceArgument());
      case "$planCacheStats" -> planCacheStats(namespace, pipeline.sourceArgument());
      default ->
          throw new CommandException(
              ErrorCode.NOT_IMPLEMENTED, pipeline.source() + " is not supported yet");
    };
  }

  /** Of a single node the sessions that are stored are its own. */
  private List<RawDocument> storedSessions(Namespace namespace, RawDocument argument) {
    if (!namespace.full().equals("config.system.sessions")) {
      throw new CommandException(
          ErrorCode.INVALID_NAMESPACE,
          "$listSessions may only be run against config.system.sessions");
    }
    return sessions("$listSessions", argument);
  }

  /** No query has settings of its own: there is no command that gives it any. */
  private static List<RawDocument> querySettings(Namespace namespace, RawDocument argument) {
    if (!namespace.database().equals("admin")) {
      throw new CommandException(
          ErrorCode.INVALID_NAMESPACE,
          "$querySettings must be run against the 'admin' database with {aggregate: 1}");
    }
    ArgumentReader options = ArgumentReader.of("$querySettings", argument);
    while (options.next()) {
      switch (options.name()) {
        case "showDebugQueryShape" -> options.bool();
        default -> options.unknown();
      }
    }
    return List.of();
  }

  private List<RawDocument> sessions(String stage, RawDocument argument) {
    boolean ofUsers = false;
    ArgumentReader options = ArgumentReader.of(stage, argument);
    while (options.next()) {
      switch (options.name()) {
        case "allUsers" -> options.strictBool();
        case "users" -> ofUsers = !options.documents().isEmpty();
        default -> options.unknown();
      }
    }
    if (ofUsers) {
      return List.of(); // Without access control sessions are nobody's.
    }
    return sessions.list().stream()
        .map(
            session ->
                new BsonBuilder()
                    .appendDocument("_id", session.id().document())
                    .appendDate("lastUse", session.lastUseMillis())
                    .toDocument())
        .toList();
  }

  private List<RawDocument> planCacheStats(Namespace namespace, RawDocument argument) {
    ArgumentReader reader = ArgumentReader.of("$planCacheStats", argument);
    while (reader.next()) {
      switch (reader.name()) {
        case "allHosts" -> {
          if (reader.bool()) {
            throw new CommandException(
                ErrorCode.PLAN_CACHE_STATS_ALL_HOSTS,
                "$planCacheStats stage supports allHosts parameter only for sharded clusters");
          }
        }
        default ->
            throw new CommandException(
                ErrorCode.FAILED_TO_PARSE,
                "$planCacheStats parameters object may contain only 'allHosts' field. Found: "
                    + reader.name());
      }
    }
    Collection collection = database.collection(namespace);
    if (collection == null) {
      throw new CommandException(
          ErrorCode.PLAN_CACHE_STATS_NO_COLLECTION,
          "collection '" + namespace.full() + "' does not exist");
    }
    String host = HostNames.local() + ":" + port.getAsInt();
    return collection.planCache().entries().stream()
        .map(entry -> PlanCacheDocument.of(entry, host))
        .toList();
  }

  private List<RawDocument> indexStats(Namespace namespace) {
    Collection collection = database.collection(namespace);
    var list = new ArrayList<RawDocument>();
    for (Index index : collection == null ? List.<Index>of() : collection.indexes()) {
      var out = new BsonBuilder();
      out.appendString("name", index.name());
      out.appendDocument("key", index.definition().key());
      out.appendString("host", HostNames.local());
      out.startDocument("accesses");
      out.appendInt64("ops", index.uses());
      out.appendDate("since", index.usedSinceMillis());
      out.end();
      out.appendDocument("spec", index.definition().spec());
      list.add(out.toDocument());
    }
    return list;
  }
}
