package dev.wisent.cluster.config;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.log.LogComponent;
import dev.wisent.base.loop.BackgroundLoop;
import dev.wisent.bson.ObjectIds;
import dev.wisent.cluster.call.NodeTimes;
import dev.wisent.cluster.config.balancer.Balancer;
import dev.wisent.cluster.config.balancer.BalancerAssembly;
import dev.wisent.cluster.config.balancer.GrowingEnds;
import dev.wisent.cluster.config.ddl.DdlCoordinators;
import dev.wisent.cluster.config.ddl.LargeChunks;
import dev.wisent.cluster.config.ddl.MergeableChunks;
import dev.wisent.cluster.config.metadata.CatalogStore;
import dev.wisent.cluster.config.metadata.CatalogWriter;
import dev.wisent.cluster.config.metadata.ClusterMetadata;
import dev.wisent.cluster.config.metadata.ConfigCollections;
import dev.wisent.cluster.config.metadata.ShardPrimaries;
import dev.wisent.cluster.config.migration.MoveRangeCoordinator;
import dev.wisent.cluster.coordinator.Coordinator;
import dev.wisent.cluster.coordinator.Coordinators;
import dev.wisent.cluster.coordinator.PrimaryTerm;
import dev.wisent.cluster.coordinator.TermWrites;
import dev.wisent.operation.OperationContext;
import dev.wisent.replication.ReplicaSet;
import dev.wisent.server.ServerServices;
import dev.wisent.server.command.CommandSpec;
import dev.wisent.server.command.NodeRole;
import dev.wisent.server.command.diagnostic.ServerStatusCommand;
import dev.wisent.server.node.DataNode;
import dev.wisent.server.node.NodeExtension;
import dev.wisent.server.operation.BackgroundOperation;
import dev.wisent.wire.client.NodeClient;
import dev.wisent.wire.client.PooledNodeClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A config server: a member of the replica set that keeps a cluster's metadata. The primary creates
 * the collections of the database {@code config} and runs the commands that change it.
 */
public final class ConfigServer implements NodeExtension {
  private static final Duration HOSTS_PERIOD = Duration.ofSeconds(1);

  private final NodeClient nodes;
  private final ShardPrimaries shards;
  private final ConfigShard own;
  private final ClusterMetadata metadata;
  private final PrimaryTerm leadership;
  private final BackgroundLoop leading;
  private final BackgroundLoop following;
  private final DataNode node;
  private final ReplicaSet set;

  // Set before the first command.
  private Coordinators coordinators;
  private Balancer balancer;

  private ConfigServer(DataNode node, ReplicaSet set) {
    this.node = node;
    this.set = set;
    var ids = new ObjectIds(node.clock(), node.random());
    var store =
        new CatalogStore(node.operations(), node.transactions(), node.clock(), node.random());
    this.nodes =
        new PooledNodeClient(
            node.members().options("sharding").withGossip(new NodeTimes(set.clock(), node.clock())),
            node.clock(),
            node.loops());
    this.shards = new ShardPrimaries(store, nodes, node.clock(), node.loops());
    this.own = new ConfigShard(set, shards);
    this.metadata =
        new ClusterMetadata(
            store,
            new CatalogWriter(store, set::me, ids, node.clock()),
            shards,
            set.clock(),
            node.clock(),
            node.random(),
            ids,
            node.log().of(LogComponent.SHARDING));
    var collections = new ConfigCollections(node.definitions(), store, node.clock());
    this.leadership =
        new PrimaryTerm(
            set,
            new PrimaryTerm.Work() {
              @Override
              public void begin() {
                OperationContext operation = OperationContext.internal(node.clock());
                collections.create(operation, ids.get());
                coordinators.begin(operation);
              }

              @Override
              public void end() {
                balancer.end();
                coordinators.end();
              }
            });
    var hosts = new ShardHosts(metadata, shards);
    this.leading = node.loops().loop("config-leadership", leadership::turn);
    this.following =
        node.loops().every(HOSTS_PERIOD, "shard-hosts", () -> followHosts(hosts, node));
  }

  /** Opens data nodes that are config servers. */
  public static NodeExtension.Opener opener() {
    return node ->
        new ConfigServer(
            node,
            node.replicaSet()
                .orElseThrow(
                    () ->
                        new CommandException(
                            ErrorCode.BAD_VALUE,
                            "Cannot start a configsvr as a standalone server. Please use the"
                                + " option --replSet to start the node as a replica set.")));
  }

  private void followHosts(ShardHosts hosts, DataNode node) {
    if (leadership.isReady()) {
      hosts.follow(OperationContext.internal(node.clock()));
    }
  }

  @Override
  public NodeRole kind() {
    return NodeRole.CONFIG_SERVER;
  }

  @Override
  public List<CommandSpec> commands(ServerServices services) {
    coordinators =
        new Coordinators(
            types(metadata, own),
            new CoordinatorCollection(
                metadata.store(), new TermWrites(node.database().shared().writeGate())),
            new FailingPhases(services.failPoints()),
            (description, namespace, operation) -> {
              BackgroundOperation shown =
                  services
                      .operations()
                      .startInBackground(description, "command", namespace, operation);
              return () -> services.operations().end(shown);
            },
            new Coordinators.Node(
                node.clock(),
                node.loops().scheduler(),
                node.random(),
                metadata.log(),
                services.store().store()::faultOf));
    var ends = new GrowingEnds();
    var merges =
        new MergeableChunks(metadata, () -> services.store().store().readPoints().windowSeconds());
    balancer =
        BalancerAssembly.of(
            metadata,
            coordinators,
            new LargeChunks(metadata),
            merges,
            ends,
            services.balancer(),
            set::me,
            leadership::isReady,
            node.loops());
    return new ConfigTable(
            metadata, leadership, set, own, nodes, coordinators, balancer, ends, merges)
        .rows();
  }

  @Override
  public Map<String, ServerStatusCommand.Section> statusSections() {
    return Map.of(
        "balancer", (context, out) -> balancer.figures().append(balancer.isInRound(), out));
  }

  private static List<Coordinator> types(ClusterMetadata metadata, ConfigShard own) {
    var types = new ArrayList<>(DdlCoordinators.all(metadata));
    types.add(new MoveRangeCoordinator(metadata));
    types.add(new ConfigShardJoin(metadata, own));
    types.add(new ConfigShardLeave(metadata, own));
    return types;
  }

  @Override
  public List<BackgroundLoop> jobs() {
    return List.of(leading, following, balancer.loop());
  }

  @Override
  public void close() {
    leadership.close();
    shards.close();
    nodes.close();
  }
}
