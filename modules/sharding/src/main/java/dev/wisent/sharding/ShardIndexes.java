package dev.wisent.sharding;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Numbers in the place of the shards' names. A shard keeps its number in later tables. */
record ShardIndexes(List<String> names, Map<String, Integer> byName) {
  static final ShardIndexes EMPTY = new ShardIndexes(List.of(), Map.of());

  /** With this shard. */
  ShardIndexes with(String shard) {
    if (byName.containsKey(shard)) {
      return this;
    }
    var allNames = new ArrayList<>(names);
    var all = new HashMap<>(byName);
    all.put(shard, allNames.size());
    allNames.add(shard);
    return new ShardIndexes(List.copyOf(allNames), Map.copyOf(all));
  }

  int size() {
    return names.size();
  }

  String name(int index) {
    return names.get(index);
  }

  /** The shard's number, or -1. */
  int of(String name) {
    return byName.getOrDefault(name, -1);
  }
}
