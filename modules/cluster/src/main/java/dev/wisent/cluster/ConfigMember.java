package dev.wisent.cluster;

import dev.wisent.base.loop.BackgroundLoop;
import dev.wisent.cluster.config.ConfigServer;
import dev.wisent.cluster.shard.ShardServer;
import dev.wisent.server.ServerServices;
import dev.wisent.server.command.CommandSpec;
import dev.wisent.server.command.NodeRole;
import dev.wisent.server.command.diagnostic.ServerStatusCommand;
import dev.wisent.server.dispatch.CommandInterceptor;
import dev.wisent.server.node.NodeExtension;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A member of the config servers. It has the parts of a shard too: they rest until the set becomes
 * one, which is told by its own data, so that every member and every new primary knows it.
 */
final class ConfigMember implements NodeExtension {
  private final NodeExtension config;
  private final NodeExtension shard;

  private ConfigMember(NodeExtension config, NodeExtension shard) {
    this.config = config;
    this.shard = shard;
  }

  static NodeExtension.Opener opener() {
    return node ->
        new ConfigMember(ConfigServer.opener().open(node), ShardServer.opener().open(node));
  }

  @Override
  public NodeRole kind() {
    return config.kind();
  }

  @Override
  public List<CommandSpec> commands(ServerServices services) {
    var rows = new ArrayList<>(config.commands(services));
    rows.addAll(shard.commands(services));
    return rows;
  }

  @Override
  public Map<String, ServerStatusCommand.Section> statusSections() {
    var sections = new HashMap<>(shard.statusSections());
    sections.putAll(config.statusSections());
    return sections;
  }

  @Override
  public CommandInterceptor interceptor() {
    return shard.interceptor();
  }

  @Override
  public List<BackgroundLoop> jobs() {
    var jobs = new ArrayList<>(config.jobs());
    jobs.addAll(shard.jobs());
    return jobs;
  }

  @Override
  public void start() {
    config.start();
    shard.start();
  }

  @Override
  public void close() {
    try {
      config.close();
    } finally {
      shard.close();
    }
  }
}
