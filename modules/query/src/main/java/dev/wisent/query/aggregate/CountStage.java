package dev.wisent.query.aggregate;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;

/** {@code $count}: one document with the number of documents; none where there are none. */
public record CountStage(String field) implements Stage {
  static CountStage parse(RawValue argument) {
    if (!argument.isString() || argument.asString().isEmpty()) {
      throw new CommandException(
          ErrorCode.COUNT_STAGE_NAME, "the count field must be a non-empty string");
    }
    String field = argument.asString();
    if (field.startsWith("$") || field.contains(".") || field.indexOf('\0') >= 0) {
      throw new CommandException(
          ErrorCode.COUNT_STAGE_NAME,
          "the count field cannot be a $-prefixed path, contain '.' or a null byte");
    }
    return new CountStage(field);
  }

  @Override
  public DocumentStream over(DocumentStream input) {
    return new DocumentStream() {
      private boolean done;

      @Override
      public RawDocument next() {
        if (done) {
          return null;
        }
        done = true;
        long count = 0;
        while (input.next() != null) {
          count++;
        }
        return count == 0 ? null : new BsonBuilder().append(field, number(count)).toDocument();
      }
    };
  }

  private static RawValue number(long value) {
    return value <= Integer.MAX_VALUE ? RawValue.ofInt32((int) value) : RawValue.ofInt64(value);
  }
}
