package dev.wisent.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.base.CommandException;
import dev.wisent.bson.RawDocument;
import dev.wisent.query.context.QueryContext;
import java.util.ArrayList;
import java.util.List;

/** Sends pipelines as routers do: serialized, and split between shards and the merge. */
public final class SplitFixture {
  private SplitFixture() {}

  /** The pipeline parsed again of what it is serialized to, which must then be the same. */
  public static Pipeline sent(Pipeline pipeline, QueryContext context) {
    RawDocument serialized = pipeline.serialize();
    Pipeline again;
    try {
      again = Pipeline.parse(serialized, context.ofRouter());
    } catch (CommandException e) {
      throw new AssertionError("cannot be parsed again: " + serialized, e);
    }
    assertThat(again.serialize()).as("serialized again").isEqualTo(serialized);
    return again.carrying(pipeline.carried());
  }

  /**
   * What comes out if shards hold the documents.
   *
   * @param shards the documents of each; the whole has them one shard after the other
   * @param run of all parts
   */
  public static List<RawDocument> run(
      Pipeline pipeline, List<List<RawDocument>> shards, QueryContext context, StageRun run) {
    PipelineSplit split = PipelineSplit.of(pipeline, context, (database, name) -> true);
    var results = new ArrayList<DocumentStream>();
    if (split.shard() != null) {
      Pipeline part = sent(split.shard(), context);
      for (List<RawDocument> documents : shards) {
        results.add(StageFixture.stream(StageFixture.run(part, documents, run)));
      }
    }
    var merging =
        new PipelineSplit(split.shard(), split.order(), sent(split.merge(), context), split.site());
    return StageFixture.drain(merging.over(results, run));
  }

  /** The documents on three shards, the last of which has none. */
  public static List<List<RawDocument>> shards(List<RawDocument> documents) {
    int half = documents.size() / 2;
    return List.of(
        documents.subList(0, half), documents.subList(half, documents.size()), List.of());
  }
}
