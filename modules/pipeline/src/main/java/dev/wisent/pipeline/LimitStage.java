package dev.wisent.pipeline;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.context.QueryContext;
import java.util.List;

/** {@code $limit}. */
public record LimitStage(long count) implements ChoosingStage {
  static LimitStage parse(RawValue argument) {
    long count = CountArgument.parse("$limit", argument, ErrorCode.LIMIT_STAGE_NOT_NUMBER);
    if (count == 0) {
      throw new CommandException(ErrorCode.LIMIT_STAGE_NOT_POSITIVE, "the limit must be positive");
    }
    return new LimitStage(count);
  }

  @Override
  public List<RawDocument> serialize() {
    return explained();
  }

  @Override
  public StageSplit split(QueryContext context) {
    return new StageSplit.Divided(List.of(this), null, List.of(this));
  }

  @Override
  public List<RawDocument> explained() {
    return List.of(Stage.explained("$limit", count));
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
        RawDocument document = left > 0 ? input.next() : null;
        if (document != null) {
          left--;
        }
        return document;
      }
    };
  }
}
