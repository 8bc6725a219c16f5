package dev.wisent.server.command.collection;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.PipelineSources;
import dev.wisent.operation.definition.Definitions;
import dev.wisent.operation.diagnostic.Diagnostics;
import dev.wisent.operation.diagnostic.IndexUse;
import dev.wisent.operation.diagnostic.PlanCaches;
import dev.wisent.pipeline.Pipeline;
import dev.wisent.server.HostNames;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.diagnostic.CurrentOpSource;
import dev.wisent.server.command.diagnostic.NamedSessions;
import dev.wisent.server.privilege.Principal;
import dev.wisent.server.session.SessionRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntSupplier;

/** The stages that report on the server: {@code $currentOp}, {@code $collStats} and the like. */
public final class ServerSources implements PipelineSources {
  private final Diagnostics diagnostics;
  private final PlanCaches planCaches;
  private final CollStatsSource statistics;
  private final CurrentOpSource operations;
  private final SessionRegistry sessions;
  private final IntSupplier port;
  private final CatalogSources catalog;
  private final SampledQueriesSource samples;

  public ServerSources(
      Definitions definitions,
      Diagnostics diagnostics,
      PlanCaches planCaches,
      CollStatsSource statistics,
      CurrentOpSource operations,
      SessionRegistry sessions,
      SampledQueriesSource samples,
      IntSupplier port) {
    this.samples = samples;
    this.port = port;
    this.diagnostics = diagnostics;
    this.planCaches = planCaches;
    this.statistics = statistics;
    this.operations = operations;
    this.sessions = sessions;
    this.catalog = new CatalogSources(definitions);
  }

  @Override
  public FindRequest stored(Pipeline pipeline, Namespace namespace) {
    return pipeline.source().equals(SampledQueriesSource.NAME)
        ? samples.find(namespace, pipeline.sourceArgument())
        : null;
  }

  @Override
  public List<RawDocument> documents(
      Pipeline pipeline, Namespace namespace, OperationContext operation) {
    return switch (pipeline.source()) {
      case "$currentOp" -> operations.documents(namespace, pipeline.sourceArgument(), operation);
      case "$collStats" ->
          List.of(statistics.document(namespace, pipeline.sourceArgument(), operation));
      case "$indexStats" -> indexStats(namespace);
      case "$listLocalSessions" ->
          sessions(pipeline.source(), pipeline.sourceArgument(), operations.principalOf(operation));
      case "$listSessions" ->
          storedSessions(namespace, pipeline.sourceArgument(), operations.principalOf(operation));
      case "$listCatalog" -> catalog.catalog(namespace);
      case "$listClusterCatalog" -> catalog.clusterCatalog(namespace, pipeline.sourceArgument());
      case "$querySettings" -> querySettings(namespace, pipeline.sourceArgument());
      case "$planCacheStats" -> planCacheStats(namespace, pipeline.sourceArgument());
      case "$shardedDataDistribution" ->
          throw new CommandException(
              ErrorCode.DATA_DISTRIBUTION_STAGE_NOT_ON_ROUTER,
              "The $shardedDataDistribution stage can only be run on a mongoS");
      default ->
          throw new CommandException(
              ErrorCode.NOT_IMPLEMENTED, pipeline.source() + " is not supported yet");
    };
  }

  /** Of a single node the sessions that are stored are its own. */
  private List<RawDocument> storedSessions(
      Namespace namespace, RawDocument argument, Principal principal) {
    if (!namespace.full().equals("config.system.sessions")) {
      throw new CommandException(
          ErrorCode.INVALID_NAMESPACE,
          "$listSessions may only be run against config.system.sessions");
    }
    return sessions("$listSessions", argument, principal);
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

  /** Without options those of the user itself. */
  private List<RawDocument> sessions(String stage, RawDocument argument, Principal principal) {
    boolean all = !principal.isRestricted();
    var digests = new ArrayList<byte[]>();
    ArgumentReader options = ArgumentReader.of(stage, argument);
    while (options.next()) {
      switch (options.name()) {
        case "allUsers" -> all |= options.strictBool();
        case "users" ->
            options
                .documents()
                .forEach(user -> digests.add(NamedSessions.digestOf(stage + ".users", user)));
        default -> options.unknown();
      }
    }
    if (digests.isEmpty() && !all) {
      digests.add(principal.sessionDigest());
    }
    return sessions.list().stream()
        .filter(session -> digests.isEmpty() || digests.stream().anyMatch(session.id()::isOf))
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
    List<RawDocument> entries = planCaches.entries(namespace);
    if (entries == null) {
      throw new CommandException(
          ErrorCode.PLAN_CACHE_STATS_NO_COLLECTION,
          "collection '" + namespace.full() + "' does not exist");
    }
    String host = HostNames.local() + ":" + port.getAsInt();
    return entries.stream()
        .map(entry -> new BsonBuilder().appendAll(entry).appendString("host", host).toDocument())
        .toList();
  }

  private List<RawDocument> indexStats(Namespace namespace) {
    var list = new ArrayList<RawDocument>();
    for (IndexUse index : diagnostics.indexUses(namespace)) {
      var out = new BsonBuilder();
      out.appendString("name", index.name());
      out.appendDocument("key", index.key());
      out.appendString("host", HostNames.local());
      out.startDocument("accesses");
      out.appendInt64("ops", index.operations());
      out.appendDate("since", index.sinceMillis());
      out.end();
      out.appendDocument("spec", index.spec());
      list.add(out.toDocument());
    }
    return list;
  }
}
