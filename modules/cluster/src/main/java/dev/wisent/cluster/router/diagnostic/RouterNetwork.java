package dev.wisent.cluster.router.diagnostic;

import dev.wisent.wire.HostAndPort;
import dev.wisent.wire.client.HostPoolStats;
import dev.wisent.wire.client.SetDescription;
import java.util.List;
import java.util.Set;

/** What a router knows of other nodes. */
public interface RouterNetwork {
  /** Its connections, host by host. */
  List<HostPoolStats> connections();

  /** The replica sets that it follows. */
  List<SetDescription> sets();

  void dropConnections(Set<HostAndPort> hosts);
}
