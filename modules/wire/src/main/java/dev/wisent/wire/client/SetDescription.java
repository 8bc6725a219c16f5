package dev.wisent.wire.client;

import dev.wisent.wire.HostAndPort;
import dev.wisent.wire.client.HostDescription.Kind;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.bson.types.ObjectId;

/**
 * A replica set as its members describe it: a state that each answer to {@code hello} changes, by
 * the rules that drivers follow. Immutable.
 */
public final class SetDescription {
  private final String setName;
  private final Set<HostAndPort> seeds;
  private final Map<HostAndPort, HostDescription> hosts;
  private final ObjectId maxElectionId;
  private final int maxSetVersion;
  private final Optional<HostDescription> primary;

  private SetDescription(
      String setName,
      Set<HostAndPort> seeds,
      Map<HostAndPort, HostDescription> hosts,
      ObjectId maxElectionId,
      int maxSetVersion) {
    this.setName = setName;
    this.seeds = seeds;
    this.hosts = Collections.unmodifiableMap(hosts);
    this.maxElectionId = maxElectionId;
    this.maxSetVersion = maxSetVersion;
    this.primary = hosts.values().stream().filter(each -> each.kind() == Kind.PRIMARY).findFirst();
  }

  static SetDescription of(String setName, Set<HostAndPort> seeds) {
    var hosts = new LinkedHashMap<HostAndPort, HostDescription>();
    seeds.forEach(host -> hosts.put(host, HostDescription.unknown(host, "not asked yet")));
    return new SetDescription(setName, Set.copyOf(seeds), hosts, null, -1);
  }

  public String setName() {
    return setName;
  }

  public Collection<HostDescription> hosts() {
    return hosts.values();
  }

  public Optional<HostDescription> host(HostAndPort host) {
    return Optional.ofNullable(hosts.get(host));
  }

  public Optional<HostDescription> primary() {
    return primary;
  }

  /** After an answer, or a failure, of one of the hosts. */
  SetDescription apply(HostDescription heard) {
    HostDescription before = hosts.get(heard.host());
    if (before == null || heard.isOlderThan(before)) {
      return this;
    }
    return switch (heard.kind()) {
      case UNKNOWN, GHOST -> with(heard);
      case STANDALONE -> without(heard, "is not in a replica set");
      case PRIMARY, SECONDARY, ARBITER, OTHER -> {
        if (!setName.equals(heard.setName())) {
          yield without(heard, "is in the replica set " + heard.setName());
        }
        yield heard.kind() == Kind.PRIMARY ? withPrimary(heard) : withMember(heard);
      }
    };
  }

  private SetDescription with(HostDescription heard) {
    var next = new LinkedHashMap<>(hosts);
    next.put(heard.host(), heard);
    return changed(next);
  }

  private SetDescription changed(Map<HostAndPort, HostDescription> next) {
    return new SetDescription(setName, seeds, next, maxElectionId, maxSetVersion);
  }

  /** Removes a host; the last one stays, for otherwise no answer could bring the others back. */
  private SetDescription without(HostDescription heard, String why) {
    HostAndPort host = heard.host();
    if (hosts.size() == 1) {
      return seeds.contains(host) ? with(HostDescription.unknown(host, why)) : of(setName, seeds);
    }
    var next = new LinkedHashMap<>(hosts);
    next.remove(host);
    return changed(next);
  }

  /** The primary knows who is in the set; others do as long as there is none. */
  private SetDescription withMember(HostDescription heard) {
    if (isMisnamed(heard)) {
      return primary().isPresent()
          ? without(heard, "calls itself " + heard.me())
          : withMembersOf(heard).without(heard, "calls itself " + heard.me());
    }
    boolean stepsDown = hosts.get(heard.host()).kind() == Kind.PRIMARY;
    return primary().isPresent() && !stepsDown ? with(heard) : withMembersOf(heard);
  }

  private static boolean isMisnamed(HostDescription heard) {
    return heard.me() != null && !heard.me().equals(heard.host());
  }

  private SetDescription withMembersOf(HostDescription heard) {
    var next = new LinkedHashMap<>(hosts);
    next.put(heard.host(), heard);
    addMissing(next, heard);
    return changed(next);
  }

  private static void addMissing(Map<HostAndPort, HostDescription> hosts, HostDescription heard) {
    for (HostAndPort each : heard.hosts()) {
      hosts.computeIfAbsent(each, host -> HostDescription.unknown(host, "not asked yet"));
    }
  }

  private SetDescription withPrimary(HostDescription heard) {
    if (isStale(heard)) {
      return with(
          HostDescription.unknown(
              heard.host(), "was primary of an earlier election, or configuration"));
    }
    var next = new LinkedHashMap<HostAndPort, HostDescription>();
    Predicate<HostAndPort> isMember =
        host -> heard.hosts().contains(host) || heard.hosts().isEmpty();
    hosts.forEach(
        (host, known) -> {
          if (host.equals(heard.host())) {
            next.put(host, heard);
          } else if (isMember.test(host)) {
            next.put(
                host,
                known.kind() == Kind.PRIMARY
                    ? HostDescription.unknown(host, "is primary no longer")
                    : known);
          }
        });
    addMissing(next, heard);
    if (isMisnamed(heard) || !isMember.test(heard.host())) {
      next.remove(heard.host());
    }
    boolean newer = heard.electionId() != null && heard.setVersion() >= 0;
    return new SetDescription(
        setName,
        seeds,
        next,
        newer ? heard.electionId() : maxElectionId,
        newer ? heard.setVersion() : maxSetVersion);
  }

  /** Of two that call themselves primary the one of the later election is right. */
  private boolean isStale(HostDescription heard) {
    if (heard.electionId() == null || maxElectionId == null) {
      return false;
    }
    int byElection = heard.electionId().compareTo(maxElectionId);
    return byElection < 0 || (byElection == 0 && heard.setVersion() < maxSetVersion);
  }
}
