package dev.wisent.wire.client;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.wire.HostAndPort;
import dev.wisent.wire.client.HostDescription.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;

/**
 * A read preference: which hosts of a set may serve a request.
 *
 * @param tagSets the first one that a host has decides; none is every host's
 * @param maxStalenessSeconds how far behind a secondary may be; 0 for any
 */
public record HostSelector(Mode mode, List<Map<String, String>> tagSets, long maxStalenessSeconds) {
  /** The modes of {@code $readPreference}. */
  public enum Mode {
    PRIMARY("primary"),
    PRIMARY_PREFERRED("primaryPreferred"),
    SECONDARY("secondary"),
    SECONDARY_PREFERRED("secondaryPreferred"),
    NEAREST("nearest");

    private final String text;

    Mode(String text) {
      this.text = text;
    }

    /** As read preferences have it. */
    String text() {
      return text;
    }

    private static Mode of(String text) {
      for (Mode mode : values()) {
        if (mode.text.equals(text)) {
          return mode;
        }
      }
      throw new IllegalArgumentException("a read preference that was not checked: " + text);
    }
  }

  /** Hosts that are this much slower than the fastest are not used. */
  private static final long LATENCY_WINDOW_NANOS = TimeUnit.MILLISECONDS.toNanos(15);

  public HostSelector {
    tagSets = List.copyOf(tagSets);
  }

  public static HostSelector of(Mode mode) {
    return new HostSelector(mode, List.of(), 0);
  }

  public static HostSelector primary() {
    return of(Mode.PRIMARY);
  }

  /** Reads a {@code $readPreference} that was checked. */
  public static HostSelector parse(RawDocument preference) {
    RawValue staleness = preference.get("maxStalenessSeconds");
    RawValue tags = preference.get("tags");
    List<Map<String, String>> tagSets = new ArrayList<>();
    if (tags != null && tags.isArray()) {
      ElementCursor each = tags.elements();
      while (each.next()) {
        tagSets.add(HostDescription.tags(each.value()));
      }
    }
    return new HostSelector(
        Mode.of(preference.get("mode").asString()),
        tagSets,
        staleness == null ? 0 : staleness.toLong());
  }

  /** As {@code $readPreference} has it. */
  public RawDocument toDocument() {
    var out = new BsonBuilder().appendString("mode", mode.text);
    if (!tagSets.isEmpty()) {
      out.startArray("tags");
      for (int i = 0; i < tagSets.size(); i++) {
        out.startDocument(i);
        tagSets.get(i).forEach(out::appendString);
        out.end();
      }
      out.end();
    }
    if (maxStalenessSeconds != 0) {
      out.appendInt64("maxStalenessSeconds", maxStalenessSeconds);
    }
    return out.toDocument();
  }

  /**
   * The hosts that may serve the request, of which any will do; empty if there is none now.
   *
   * @param latencyNanos of a host, as far as it is known
   * @param heartbeatMillis the time between two answers of a host
   */
  List<HostAndPort> select(
      SetDescription set, ToLongFunction<HostAndPort> latencyNanos, long heartbeatMillis) {
    List<HostDescription> primary = set.primary().stream().toList();
    List<HostDescription> found =
        switch (mode) {
          case PRIMARY -> primary;
          case PRIMARY_PREFERRED -> primary.isEmpty() ? secondaries(set, heartbeatMillis) : primary;
          case SECONDARY -> secondaries(set, heartbeatMillis);
          case SECONDARY_PREFERRED -> {
            List<HostDescription> secondaries = secondaries(set, heartbeatMillis);
            yield secondaries.isEmpty() ? primary : secondaries;
          }
          case NEAREST -> eligible(data(set), set, heartbeatMillis);
        };
    List<HostAndPort> hosts = found.stream().map(HostDescription::host).toList();
    long fastest = hosts.stream().mapToLong(latencyNanos).min().orElse(0);
    return hosts.stream()
        .filter(host -> latencyNanos.applyAsLong(host) - fastest <= LATENCY_WINDOW_NANOS)
        .toList();
  }

  private static List<HostDescription> data(SetDescription set) {
    return set.hosts().stream().filter(HostDescription::isData).toList();
  }

  private List<HostDescription> secondaries(SetDescription set, long heartbeatMillis) {
    List<HostDescription> all =
        set.hosts().stream().filter(each -> each.kind() == Kind.SECONDARY).toList();
    return eligible(all, set, heartbeatMillis);
  }

  private List<HostDescription> eligible(
      List<HostDescription> hosts, SetDescription set, long heartbeatMillis) {
    List<HostDescription> fresh = new ArrayList<>();
    for (HostDescription host : hosts) {
      if (maxStalenessSeconds == 0
          || host.kind() == Kind.PRIMARY
          || stalenessMillis(host, set) + heartbeatMillis
              <= TimeUnit.SECONDS.toMillis(maxStalenessSeconds)) {
        fresh.add(host);
      }
    }
    return tagged(fresh);
  }

  /** How far a secondary is behind the primary, or without one behind the newest secondary. */
  private static long stalenessMillis(HostDescription host, SetDescription set) {
    return set.primary()
        .map(
            primary ->
                (host.heardMillis() - host.lastWriteMillis())
                    - (primary.heardMillis() - primary.lastWriteMillis()))
        .orElseGet(
            () ->
                set.hosts().stream()
                        .filter(each -> each.kind() == Kind.SECONDARY)
                        .mapToLong(HostDescription::lastWriteMillis)
                        .max()
                        .orElse(0)
                    - host.lastWriteMillis());
  }

  private List<HostDescription> tagged(List<HostDescription> hosts) {
    if (tagSets.isEmpty()) {
      return hosts;
    }
    for (Map<String, String> tags : tagSets) {
      List<HostDescription> found =
          hosts.stream()
              .filter(host -> host.tags().entrySet().containsAll(tags.entrySet()))
              .toList();
      if (!found.isEmpty()) {
        return found;
      }
    }
    return List.of();
  }
}
