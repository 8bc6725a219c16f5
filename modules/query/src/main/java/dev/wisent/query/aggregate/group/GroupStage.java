package dev.wisent.query.aggregate.group;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.aggregate.DocumentStream;
import dev.wisent.query.aggregate.Stage;
import dev.wisent.query.aggregate.StageRun;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code $group} as far as counting needs it: one group with a constant {@code _id}, and sums of
 * whole constants.
 */
public record GroupStage(RawValue id, List<ConstantSum> sums) implements Stage {

  /** {@code name: {$sum: step}}. */
  public record ConstantSum(String name, long step) {}

  static GroupStage parse(RawValue argument) {
    if (!argument.isDocument()) {
      throw new CommandException(
          ErrorCode.GROUP_STAGE_NOT_OBJECT, "a group's fields must be specified in an object");
    }
    RawValue id = null;
    var sums = new ArrayList<ConstantSum>();
    ElementCursor fields = argument.elements();
    while (fields.next()) {
      if (fields.name().equals("_id")) {
        id = constant(fields.value());
      } else {
        sums.add(sum(fields));
      }
    }
    if (id == null) {
      throw new CommandException(
          ErrorCode.GROUP_STAGE_WITHOUT_ID, "a group specification must include an _id");
    }
    return new GroupStage(id.detached(), List.copyOf(sums));
  }

  private static RawValue constant(RawValue id) {
    boolean expression =
        id.isDocument() || id.isArray() || (id.isString() && id.asString().startsWith("$"));
    if (expression) {
      throw notYet("an _id other than a constant");
    }
    return id;
  }

  private static ConstantSum sum(ElementCursor field) {
    ElementCursor operators = field.value().isDocument() ? field.value().elements() : null;
    if (operators == null || !operators.next()) {
      throw new CommandException(
          ErrorCode.GROUP_FIELD_NOT_ACCUMULATOR,
          "The field '" + field.name() + "' must be an accumulator object");
    }
    RawValue step = operators.value();
    boolean whole = step.type() == ElementType.INT32 || step.type() == ElementType.INT64;
    if (!operators.name().equals("$sum") || !whole) {
      throw notYet("an accumulator other than $sum of a whole constant");
    }
    return new ConstantSum(field.name(), step.toLong());
  }

  private static CommandException notYet(String what) {
    return new CommandException(
        ErrorCode.NOT_IMPLEMENTED, "$group with " + what + " is not supported yet");
  }

  @Override
  public List<RawDocument> explained() {
    var out = new BsonBuilder().startDocument("_id").append("$const", id).end();
    for (ConstantSum sum : sums) {
      out.startDocument(sum.name()).startDocument("$sum");
      out.append("$const", CountingStream.number(sum.step())).end().end();
    }
    return List.of(Stage.explained("$group", out.toDocument()));
  }

  @Override
  public DocumentStream over(DocumentStream input, StageRun run) {
    return new CountingStream(input, this::result);
  }

  private RawDocument result(long count) {
    var out = new BsonBuilder().append("_id", id);
    for (ConstantSum sum : sums) {
      out.append(sum.name(), CountingStream.number(count * sum.step()));
    }
    return out.toDocument();
  }
}
