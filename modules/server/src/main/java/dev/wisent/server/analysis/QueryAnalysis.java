package dev.wisent.server.analysis;

import static dev.wisent.server.command.ApiVersions.NO_API;
import static dev.wisent.server.command.NodeRole.ALL_ROLES;
import static dev.wisent.server.command.TransactionUse.NO_TRANSACTION;
import static dev.wisent.server.privilege.Privilege.onCollection;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.log.LogComponent;
import dev.wisent.base.loop.BackgroundLoop;
import dev.wisent.operation.OperationContext;
import dev.wisent.replication.ReplicaSet;
import dev.wisent.security.privilege.Action;
import dev.wisent.server.ServerServices;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandKind;
import dev.wisent.server.command.CommandSpec;
import dev.wisent.server.command.RunsOn;
import dev.wisent.server.dispatch.CommandRunner;
import dev.wisent.server.operation.RunningOperation;
import java.util.List;
import java.util.function.Function;

/**
 * What a node does for the choice of shard keys: its commands, and the sampling where it is the
 * node that clients talk to.
 */
public final class QueryAnalysis {
  private final Command analyze;
  private final Command configure;
  private final QuerySampler sampler;

  private QueryAnalysis(Command analyze, Command configure, QuerySampler sampler) {
    this.analyze = analyze;
    this.configure = configure;
    this.sampler = sampler;
  }

  /** Where samples are kept and taken. */
  public static QueryAnalysis sampling(
      ServerServices services,
      ConfigCalls config,
      AnalyzedCollections collections,
      Function<RunningOperation, OperationContext> contexts) {
    var sampler =
        new QuerySampler(
            config,
            collections,
            new SampleImages(services.database(), contexts),
            services.clock(),
            services.random(),
            services.loops(),
            services.log().of(LogComponent.SHARDING));
    return new QueryAnalysis(
        new AnalyzeShardKeyCommand(services.database(), collections, config),
        new ConfigureQueryAnalyzerCommand(config, collections, sampler, services.clock()),
        sampler);
  }

  /**
   * For a node with a store.
   *
   * @param inCluster whether clients talk to routers, which sample
   */
  public static QueryAnalysis ofNode(ServerServices services, boolean inCluster) {
    ReplicaSet set = services.replicaSet().orElse(null);
    if (set == null) {
      return new QueryAnalysis(
          refused("analyzeShardKey command is not supported on a standalone mongod"),
          refused("configureQueryAnalyzer command is not supported on a standalone mongod"),
          null);
    }
    var collections = new NodeCollections(services.store().definitions());
    if (inCluster) {
      return new QueryAnalysis(
          new AnalyzeShardKeyCommand(services.database(), collections, null),
          refused("Cannot run configureQueryAnalyzer command directly against a shardsvr mongod"),
          null);
    }
    return sampling(
        services,
        new PrimaryConfigCalls(set, services.database()),
        collections,
        operation -> OperationContext.internal(services.clock()));
  }

  private static Command refused(String message) {
    return (request, context, reply) -> {
      throw new CommandException(ErrorCode.ILLEGAL_OPERATION, message);
    };
  }

  public List<CommandSpec> rows() {
    return table(analyze);
  }

  /** The same where the analysis is run in another way. */
  public List<CommandSpec> rows(Function<Command, Command> around) {
    return table(around.apply(analyze));
  }

  private List<CommandSpec> table(Command analysis) {
    return List.of(
        CommandSpec.of("analyzeShardKey", CommandKind.READ, "what a shard key would do", analysis)
            .scope(ALL_ROLES, NO_API, onCollection(Action.ANALYZE_SHARD_KEY), NO_TRANSACTION)
            .onAdmin(),
        CommandSpec.of("configureQueryAnalyzer", CommandKind.ADMIN, "sample queries", configure)
            .scope(ALL_ROLES, NO_API, onCollection(Action.CONFIGURE_QUERY_ANALYZER), NO_TRANSACTION)
            .runsOn(RunsOn.PRIMARY)
            .onAdmin());
  }

  /** Shows commands to the sampler, where there is one. */
  public CommandRunner around(CommandRunner inner) {
    return sampler == null ? inner : new SampledRunner(inner, sampler);
  }

  public List<BackgroundLoop> jobs() {
    return sampler == null ? List.of() : List.of(sampler.loop());
  }
}
