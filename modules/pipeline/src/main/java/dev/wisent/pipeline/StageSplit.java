package dev.wisent.pipeline;

import dev.wisent.pipeline.sort.SortPattern;
import java.util.List;

/** Which part of a stage the shards of a collection run, and which the merge of their results. */
public sealed interface StageSplit {
  /** The stage looks at one document at a time: each shard runs it over its own documents. */
  record OnShards() implements StageSplit {}

  /**
   * Each shard runs one part, the merge the other one.
   *
   * @param order the order of each shard's results, which the merge keeps; null for none
   */
  record Divided(List<Stage> shard, SortPattern order, List<Stage> merge) implements StageSplit {
    public Divided {
      shard = List.copyOf(shard);
      merge = List.copyOf(merge);
    }
  }

  /** The stage needs the documents of all shards: the merge runs it. */
  record AtMerge(MergeSite site) implements StageSplit {}

  /**
   * The stage looks at one document at a time, and at another collection. The shards run it if that
   * collection is sharded; else the merge does, on the shard that holds the collection.
   *
   * @param database null for that of the pipeline
   */
  record WithCollection(String database, String collection) implements StageSplit {}

  /** Where the results of shards are merged. */
  enum MergeSite {
    /** On any node, a router too. */
    ANYWHERE,
    /** On a shard: a stage reads or writes collections. */
    SHARD
  }
}
