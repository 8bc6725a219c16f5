package dev.wisent.query.aggregate;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.sort.SortSpace;

/** {@code $limit}. */
public record LimitStage(long count) implements Stage {
  static LimitStage parse(RawValue argument) {
    if (!argument.isNumber() || argument.toLong() < 0) {
      throw new CommandException(
          ErrorCode.LIMIT_STAGE_NOT_NUMBER,
          "invalid argument to $limit stage: Expected a non-negative number in: $limit: "
              + argument);
    }
    if (argument.toLong() == 0) {
      throw new CommandException(ErrorCode.LIMIT_STAGE_NOT_POSITIVE, "the limit must be positive");
    }
    return new LimitStage(argument.toLong());
  }

  @Override
  public DocumentStream over(DocumentStream input, SortSpace space) {
    return new DocumentStream() {
      private long left = count;

      @Override
      public RawDocument next() {
        return left-- > 0 ? input.next() : null;
      }
    };
  }
}
