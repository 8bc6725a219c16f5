package dev.wisent.simulation.cluster;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.log.Log;
import dev.wisent.base.loop.BackgroundLoops;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.simulation.machine.Host;
import dev.wisent.wire.HostAndPort;
import dev.wisent.wire.client.NodeClientOptions;
import dev.wisent.wire.client.NodeRequest;
import dev.wisent.wire.client.PooledNodeClient;
import java.time.Duration;

/** Calls nodes from a process of its own. Used by threads of that process. */
public final class SimulatedClient {
  private final Host host;
  private PooledNodeClient nodes;

  public SimulatedClient(Host host) {
    this.host = host;
  }

  public Host host() {
    return host;
  }

  private PooledNodeClient nodes() {
    if (nodes == null) {
      BackgroundLoops loops = new BackgroundLoops(host.clock(), Log.silent(), error -> {});
      nodes = new PooledNodeClient(NodeClientOptions.plain("client"), host.clock(), loops);
    }
    return nodes;
  }

  /**
   * The reply of a command, ok or not.
   *
   * @throws CommandException if there is none
   */
  public RawDocument call(HostAndPort node, String database, RawDocument command, Duration wait) {
    try {
      return nodes().call(node, NodeRequest.of(database, command, wait)).join();
    } catch (java.util.concurrent.CompletionException e) {
      if (e.getCause() instanceof CommandException why) {
        throw why;
      }
      throw e;
    }
  }

  /** As {@link #call}, of extended JSON; an error in the reply is thrown. */
  public RawDocument run(HostAndPort node, String database, String json) {
    RawDocument reply = call(node, database, RawDocument.parse(json), Duration.ofSeconds(30));
    if (!isOk(reply)) {
      throw new CommandException(ErrorCode.OPERATION_FAILED, json + " gave " + reply.toJson());
    }
    return reply;
  }

  public static boolean isOk(RawDocument reply) {
    RawValue ok = reply.get("ok");
    return ok != null && ok.isTruthy();
  }
}
