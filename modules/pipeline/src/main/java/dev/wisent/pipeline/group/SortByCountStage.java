package dev.wisent.pipeline.group;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.pipeline.SortStage;
import dev.wisent.pipeline.Stage;
import dev.wisent.query.context.QueryContext;
import java.util.List;

/** {@code $sortByCount}: a {@code $group} that counts and a {@code $sort} by the counts. */
final class SortByCountStage {
  private static final String NOT_EXPRESSION =
      "the sortByCount field must be defined as a $-prefixed path or an expression inside an"
          + " object";

  private static final RawDocument LARGEST_FIRST =
      new BsonBuilder().appendInt32("count", -1).toDocument();

  private SortByCountStage() {}

  static List<Stage> parse(RawValue argument, QueryContext context) {
    check(argument);
    var group = new BsonBuilder().append("_id", argument);
    group.startDocument("count").appendInt32("$sum", 1).end();
    return List.of(
        GroupStage.parse(RawValue.ofDocument(group.toDocument()), context),
        SortStage.parse(RawValue.ofDocument(LARGEST_FIRST), context));
  }

  private static void check(RawValue argument) {
    if (argument.isDocument()) {
      ElementCursor fields = argument.elements();
      if (!fields.next() || !fields.nameStartsWith('$')) {
        throw new CommandException(ErrorCode.SORT_BY_COUNT_NOT_EXPRESSION, NOT_EXPRESSION);
      }
    } else if (!argument.isString()) {
      throw new CommandException(
          ErrorCode.SORT_BY_COUNT_TYPE,
          "the sortByCount field must be specified as a string or as an object");
    } else if (!argument.asString().startsWith("$")) {
      throw new CommandException(ErrorCode.SORT_BY_COUNT_NOT_PATH, NOT_EXPRESSION);
    }
  }
}
