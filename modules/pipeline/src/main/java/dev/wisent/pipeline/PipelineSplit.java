package dev.wisent.pipeline;

import dev.wisent.bson.RawDocument;
import dev.wisent.pipeline.StageSplit.MergeSite;
import dev.wisent.pipeline.sort.SortPattern;
import dev.wisent.query.context.QueryContext;
import dev.wisent.query.metadata.MetaType;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;

/**
 * A pipeline over a sharded collection: what each shard runs over its documents, and what runs over
 * the results of all shards.
 *
 * @param shard null where the pipeline reads no collection
 * @param order the order of each shard's results, which the merge keeps; null for none
 * @param site where the merge may run
 */
public record PipelineSplit(Pipeline shard, SortPattern order, Pipeline merge, MergeSite site) {
  /** Tells where the collections are that stages read beside their input. */
  @FunctionalInterface
  public interface Placement {
    /**
     * @param database null for that of the pipeline
     */
    boolean isSharded(String database, String collection);
  }

  /**
   * @param context what the pipeline was parsed with
   */
  public static PipelineSplit of(Pipeline pipeline, QueryContext context, Placement placement) {
    if (pipeline.isSource()) {
      return new PipelineSplit(null, null, pipeline, siteOf(pipeline.stages(), context));
    }
    var shard = new ArrayList<Stage>();
    var merge = new ArrayList<Stage>();
    SortPattern order = null;
    Iterator<Stage> stages = pipeline.stages().iterator();
    while (stages.hasNext() && merge.isEmpty() && order == null) {
      Stage stage = stages.next();
      switch (stage.split(context)) {
        case StageSplit.OnShards each -> shard.add(stage);
        case StageSplit.WithCollection other -> {
          boolean sharded = placement.isSharded(other.database(), other.collection());
          (sharded ? shard : merge).add(stage);
        }
        case StageSplit.AtMerge all -> merge.add(stage);
        case StageSplit.Divided parts -> {
          shard.addAll(parts.shard());
          order = parts.order();
          merge.addAll(parts.merge());
        }
      }
    }
    stages.forEachRemaining(merge::add);
    Pipeline merging = new Pipeline(null, RawDocument.EMPTY, merge);
    var carried = EnumSet.noneOf(MetaType.class);
    carried.addAll(merging.metadata(0));
    if (order != null) {
      carried.addAll(order.metadata());
    }
    return new PipelineSplit(
        pipeline.with(shard).carrying(carried), order, merging, siteOf(merge, context));
  }

  /** Where stages may run that follow one on another. */
  public static MergeSite siteOf(List<Stage> stages, QueryContext context) {
    boolean collections =
        stages.stream()
            .map(stage -> stage.split(context))
            .anyMatch(
                split ->
                    split instanceof StageSplit.WithCollection
                        || (split instanceof StageSplit.AtMerge all
                            && all.site() == MergeSite.SHARD));
    return collections ? MergeSite.SHARD : MergeSite.ANYWHERE;
  }

  /**
   * What comes out in the end.
   *
   * @param results of the shards, each a stream of its own
   */
  public DocumentStream over(List<DocumentStream> results, StageRun run) {
    DocumentStream all = order == null ? concatenated(results) : new SortedMerge(order, results);
    boolean left = merge.metadata(0).isEmpty() && shard != null && !shard.carried().isEmpty();
    return merge.over(left ? CarriedMetadata.removed(all) : all, 0, run);
  }

  private static DocumentStream concatenated(List<DocumentStream> results) {
    Iterator<DocumentStream> rest = results.iterator();
    return new DocumentStream() {
      private DocumentStream current = () -> null;

      @Override
      public RawDocument next() {
        RawDocument document = current.next();
        while (document == null && rest.hasNext()) {
          current = rest.next();
          document = current.next();
        }
        return document;
      }
    };
  }
}
