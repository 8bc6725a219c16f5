package dev.wisent.cluster.config.ddl;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.DocumentFields;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.coordinator.PhaseContext;
import dev.wisent.sharding.ShardInfo;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The shards that get data where a client names none: those that are not draining and have less
 * data than their {@code maxSize}. For one run; only shards with a limit are asked.
 */
final class ShardsWithRoom {
  private static final Duration PRIMARY_MAX = Duration.ofSeconds(2);
  private static final long MEGABYTE = 1 << 20;
  private static final RawDocument SIZE =
      RawDocument.parse("{_shardsvrGetStatsForBalancing: 1, collections: [], scaleFactor: 1}");

  private final List<RawDocument> staying;
  private final List<RawDocument> withRoom;

  ShardsWithRoom(CatalogReads catalog, Participants participants, PhaseContext context) {
    this.staying = catalog.stayingShards(context.operation());
    List<RawDocument> limited = staying.stream().filter(shard -> limitBytes(shard) > 0).toList();
    Map<String, RawDocument> sizes =
        limited.isEmpty() ? Map.of() : participants.ask(context, limited, SIZE, PRIMARY_MAX);
    this.withRoom = staying.stream().filter(shard -> hasRoom(shard, sizes)).toList();
  }

  private static long limitBytes(RawDocument shard) {
    return ShardInfo.of(shard).maxSizeMegabytes() * MEGABYTE;
  }

  /** One that does not answer is not known to be full. */
  private static boolean hasRoom(RawDocument shard, Map<String, RawDocument> sizes) {
    RawDocument size = sizes.get(DocumentFields.text(shard, "_id"));
    return size == null || DocumentFields.number(size, "totalSize") < limitBytes(shard);
  }

  /** Their documents; fails where there are none. */
  List<RawDocument> require() {
    if (withRoom.isEmpty()) {
      throw new CommandException(
          ErrorCode.OPERATION_FAILED, "no shard takes more data: all have reached their maxSize");
    }
    return withRoom;
  }

  /** Their names, or others where there are none. */
  List<String> orElse(List<String> others) {
    return withRoom.isEmpty() ? others : CatalogReads.names(withRoom);
  }

  /** The shards of each zone; where all of a zone are full, these: its data may be nowhere else. */
  Map<String, List<String>> ofZones() {
    Map<String, List<String>> zones = byZone(staying);
    zones.putAll(byZone(withRoom));
    return zones;
  }

  private static Map<String, List<String>> byZone(List<RawDocument> shards) {
    var zones = new HashMap<String, List<String>>();
    for (RawDocument shard : shards) {
      for (String zone : DocumentFields.texts(shard, "tags")) {
        zones
            .computeIfAbsent(zone, any -> new ArrayList<>())
            .add(DocumentFields.text(shard, "_id"));
      }
    }
    return zones;
  }
}
