package dev.wisent.server.node;

import dev.wisent.server.HostNames;
import dev.wisent.wire.HostAndPort;
import java.util.List;
import java.util.Set;

/** How other nodes call this one, if it is not configured. */
record NodeNames(List<String> bindAddresses) {
  private static final Set<String> WILDCARDS = Set.of("0.0.0.0", "::", "*");

  /** An address that it listens on; where that is any, the machine's name. */
  String host() {
    for (String address : bindAddresses) {
      if (!WILDCARDS.contains(address) && !isLocal(address)) {
        return HostAndPort.bracketed(address);
      }
    }
    return bindAddresses.stream().anyMatch(WILDCARDS::contains)
        ? HostNames.local()
        : HostAndPort.bracketed(bindAddresses.getFirst());
  }

  /** Whether an address reaches this machine only. */
  static boolean isLocal(String address) {
    return new HostAndPort(HostAndPort.bracketed(address), 1).isLocalHost();
  }
}
