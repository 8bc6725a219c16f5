package dev.wisent.query.aggregate;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawValue;
import dev.wisent.query.sort.SortSpace;

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
  public DocumentStream over(DocumentStream input, SortSpace space) {
    return new CountingStream(
        input, count -> new BsonBuilder().append(field, CountingStream.number(count)).toDocument());
  }
}
