package dev.wisent.pipeline.write;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.pipeline.DocumentStream;
import dev.wisent.pipeline.Stage;
import dev.wisent.pipeline.StageRun;
import dev.wisent.pipeline.StageSplit;
import dev.wisent.pipeline.StageSplit.MergeSite;
import dev.wisent.query.context.QueryContext;
import dev.wisent.query.expression.Values;
import java.util.List;

/**
 * {@code $out}: the documents take the place of a collection's.
 *
 * @param database null for that of the pipeline
 */
public record OutStage(String database, String collection) implements WriteStage {
  static final String NAME = "$out";

  static OutStage parse(RawValue argument) {
    if (argument.isString()) {
      return checked(new OutStage(null, argument.asString()));
    }
    if (!argument.isDocument()) {
      throw new CommandException(
          ErrorCode.OUT_STAGE_TYPE,
          "$out only supports a string or object argument, not " + Values.typeName(argument));
    }
    String database = null;
    String collection = null;
    ElementCursor fields = argument.elements();
    while (fields.next()) {
      switch (fields.name()) {
        case "db" -> database = SpecField.string("$out.db", fields.value());
        case "coll" -> collection = SpecField.string("$out.coll", fields.value());
        case "timeseries" ->
            throw new CommandException(
                ErrorCode.NOT_IMPLEMENTED, "$out: timeseries is not supported yet");
        default -> throw SpecField.unknown("$out." + fields.name());
      }
    }
    if (collection == null) {
      throw SpecField.missing("$out.coll");
    }
    if (database == null) {
      throw SpecField.missing("$out.db");
    }
    return checked(new OutStage(database, collection));
  }

  private static OutStage checked(OutStage stage) {
    stage.checkSystem(stage.collection, ErrorCode.OUT_STAGE_SPECIAL_COLLECTION, "Can't");
    return stage;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public List<RawDocument> serialize() {
    return database == null
        ? List.of(new BsonBuilder().appendString(NAME, collection).toDocument())
        : explained();
  }

  @Override
  public StageSplit split(QueryContext context) {
    return new StageSplit.AtMerge(MergeSite.SHARD);
  }

  @Override
  public List<RawDocument> explained() {
    var target = new BsonBuilder().appendString("coll", collection);
    if (database != null) {
      target.appendString("db", database);
    }
    return List.of(Stage.explained(NAME, target.toDocument()));
  }

  @Override
  public DocumentStream over(DocumentStream input, StageRun run) {
    return DocumentSink.drain(input, run.output().replace(this));
  }
}
