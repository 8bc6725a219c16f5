package dev.wisent.pipeline;

import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.pipeline.StageSplit.MergeSite;
import dev.wisent.query.context.QueryContext;
import java.util.List;

/** {@code $skip}. */
public record SkipStage(long count) implements ChoosingStage {
  static SkipStage parse(RawValue argument) {
    return new SkipStage(CountArgument.parse("$skip", argument, ErrorCode.SKIP_STAGE_NOT_NUMBER));
  }

  @Override
  public List<RawDocument> serialize() {
    return explained();
  }

  @Override
  public StageSplit split(QueryContext context) {
    return new StageSplit.AtMerge(MergeSite.ANYWHERE);
  }

  @Override
  public List<RawDocument> explained() {
    return List.of(Stage.explained("$skip", count));
  }

  @Override
  public boolean makesOneOfOne() {
    return true;
  }

  @Override
  public DocumentStream over(DocumentStream input, StageRun run) {
    return new DocumentStream() {
      private long left = count;

      @Override
      public RawDocument next() {
        RawDocument document = input.next();
        while (left > 0 && document != null) {
          left--;
          document = input.next();
        }
        return document;
      }
    };
  }
}
