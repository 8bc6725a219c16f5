package dev.wisent.sharding;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.wire.HostAndPort;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Where a replica set is: {@code name/host:port,host:port}.
 *
 * @param setName empty where none is given
 */
public record ConnectionString(String setName, Set<HostAndPort> hosts) {
  public static ConnectionString parse(String text) {
    int slash = text.indexOf('/');
    String name = slash < 0 ? "" : text.substring(0, slash);
    var hosts = new LinkedHashSet<HostAndPort>();
    for (String host : text.substring(slash + 1).split(",", -1)) {
      hosts.add(HostAndPort.parse(host));
    }
    if (slash == 0 || (slash < 0 && hosts.size() > 1)) {
      throw new CommandException(
          ErrorCode.FAILED_TO_PARSE,
          "'" + text + "' is not a valid connection string: use <setname>/<host:port>,...");
    }
    return new ConnectionString(name, hosts);
  }

  public static String of(String setName, Collection<HostAndPort> hosts) {
    return setName
        + "/"
        + hosts.stream().map(HostAndPort::toString).sorted().collect(Collectors.joining(","));
  }

  @Override
  public String toString() {
    return setName.isEmpty()
        ? hosts.stream().map(HostAndPort::toString).collect(Collectors.joining(","))
        : of(setName, hosts);
  }
}
