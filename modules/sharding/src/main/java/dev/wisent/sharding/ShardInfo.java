package dev.wisent.sharding;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.wire.HostAndPort;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A shard as {@code config.shards} has it.
 *
 * @param setName of its replica set
 * @param seeds some of its members
 * @param maxSizeMegabytes how much data it takes; 0 for no limit
 * @param topologyTime when the shard was added or changed, as a cluster time
 */
public record ShardInfo(
    String name,
    String setName,
    List<HostAndPort> seeds,
    boolean draining,
    List<String> zones,
    long maxSizeMegabytes,
    long topologyTime) {
  /** What {@code state} is for every shard that belongs to the cluster. */
  private static final int SHARD_AWARE = 1;

  public ShardInfo {
    seeds = List.copyOf(seeds);
    zones = List.copyOf(zones);
  }

  public static ShardInfo of(RawDocument document) {
    ConnectionString host = ConnectionString.parse(document.get("host").asString());
    RawValue draining = document.get("draining");
    RawValue maxSize = document.get("maxSize");
    RawValue topologyTime = document.get("topologyTime");
    return new ShardInfo(
        document.get("_id").asString(),
        host.setName(),
        List.copyOf(host.hosts()),
        draining != null && draining.isTruthy(),
        zonesOf(document),
        maxSize == null ? 0 : maxSize.toLong(),
        topologyTime == null ? 0 : topologyTime.asInt64());
  }

  private static List<String> zonesOf(RawDocument document) {
    var zones = new ArrayList<String>();
    RawValue tags = document.get("tags");
    if (tags != null) {
      ElementCursor elements = tags.elements();
      while (elements.next()) {
        zones.add(elements.value().asString());
      }
    }
    return zones;
  }

  /** The set's name and its seeds, as in {@code rs0/a:1,b:2}. */
  public String connectionString() {
    return setName
        + "/"
        + seeds.stream().map(HostAndPort::toString).collect(Collectors.joining(","));
  }

  public RawDocument toDocument() {
    var out = new BsonBuilder(128);
    out.appendString("_id", name);
    out.appendString("host", connectionString());
    out.appendInt32("state", SHARD_AWARE);
    out.appendTimestamp("topologyTime", topologyTime);
    if (!zones.isEmpty()) {
      out.startArray("tags");
      for (int i = 0; i < zones.size(); i++) {
        out.append(i, RawValue.ofString(zones.get(i)));
      }
      out.end();
    }
    if (draining) {
      out.appendBoolean("draining", true);
    }
    if (maxSizeMegabytes != 0) {
      out.appendInt64("maxSize", maxSizeMegabytes);
    }
    return out.toDocument();
  }
}
