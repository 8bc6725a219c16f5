package dev.wisent.pipeline.group;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.pipeline.DocumentStream;
import dev.wisent.pipeline.ProjectStage;
import dev.wisent.pipeline.Stage;
import dev.wisent.pipeline.StageRun;
import dev.wisent.pipeline.StageSplit;
import dev.wisent.query.context.QueryContext;
import dev.wisent.query.expression.Dependencies;
import dev.wisent.query.expression.Values;
import java.util.List;

/** {@code $count}: one document with the number of documents; none where there are none. */
public record CountStage(String field) implements Stage {
  static CountStage parse(RawValue argument) {
    if (!argument.isString()) {
      throw new CommandException(
          ErrorCode.COUNT_STAGE_NAME, "the count field must be a non-empty string");
    }
    String field = argument.asString();
    refuse(
        field.isEmpty(),
        ErrorCode.COUNT_STAGE_NAME_EMPTY,
        "the count field must be a non-empty string");
    refuse(
        field.startsWith("$"),
        ErrorCode.COUNT_STAGE_NAME_DOLLAR,
        "the count field cannot be a $-prefixed path");
    refuse(
        field.indexOf('\0') >= 0,
        ErrorCode.COUNT_STAGE_NAME_NULL,
        "the count field cannot contain a null byte");
    refuse(
        field.contains("."), ErrorCode.COUNT_STAGE_NAME_DOT, "the count field cannot contain '.'");
    refuse(
        field.equals("_id"), ErrorCode.GROUP_STAGE_IDS, "a group's _id may only be specified once");
    return new CountStage(field);
  }

  private static void refuse(boolean wrong, ErrorCode code, String message) {
    if (wrong) {
      throw new CommandException(code, message);
    }
  }

  @Override
  public boolean dropsMetadata() {
    return true;
  }

  @Override
  public Sight addDependencies(Dependencies dependencies) {
    return Sight.OF_RESULT;
  }

  @Override
  public boolean dependsOnOrder() {
    return false;
  }

  @Override
  public boolean needsOnlyCount() {
    return true;
  }

  @Override
  public RawDocument ofCount(long count) {
    return new BsonBuilder().append(field, Values.intOrLong(count)).toDocument();
  }

  @Override
  public List<RawDocument> serialize() {
    return List.of(new BsonBuilder().appendString("$count", field).toDocument());
  }

  /** The merge adds up what shards have counted. */
  @Override
  public StageSplit split(QueryContext context) {
    var sum = new BsonBuilder().appendNull("_id");
    sum.startDocument(field).appendString("$sum", "$" + field).end();
    Stage added = GroupStage.parse(RawValue.ofDocument(sum.toDocument()), context);
    Stage withoutId = ProjectStage.parseUnset(RawValue.ofString("_id"), context);
    return new StageSplit.Divided(List.of(this), null, List.of(added, withoutId));
  }

  @Override
  public List<RawDocument> explained() {
    var all = new BsonBuilder().startDocument("_id").appendNull("$const").end();
    all.startDocument(field).startDocument("$sum").appendInt32("$const", 1).end().end();
    var withoutId = new BsonBuilder().appendBoolean(field, true).appendBoolean("_id", false);
    return List.of(
        Stage.explained("$group", all.toDocument()),
        Stage.explained("$project", withoutId.toDocument()));
  }

  @Override
  public boolean takesOneByOne() {
    return true;
  }

  @Override
  public DocumentStream over(DocumentStream input, StageRun run) {
    return new CountingStream(input, this::ofCount);
  }
}
