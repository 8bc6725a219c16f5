package dev.wisent.pipeline;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.context.QueryContext;
import dev.wisent.query.expression.Dependencies;
import dev.wisent.query.expression.Frame;
import dev.wisent.query.projection.AddFieldsParser;
import dev.wisent.query.projection.ChangedPaths;
import dev.wisent.query.projection.ComputedFields;
import java.util.List;
import java.util.function.BiFunction;

/** {@code $addFields}, also called {@code $set}. */
public record AddFieldsStage(String name, ComputedFields fields) implements Stage {
  static BiFunction<RawValue, QueryContext, Stage> parser(String name) {
    return (argument, context) ->
        new AddFieldsStage(name, AddFieldsParser.parse(name, argument, context));
  }

  @Override
  public Sight addDependencies(Dependencies dependencies) {
    fields.addDependencies(dependencies);
    return Sight.OF_INPUT;
  }

  @Override
  public ModifiedPaths modifiedPaths() {
    ChangedPaths changed = fields.changedPaths();
    return ModifiedPaths.of(changed.paths()).renaming(changed.renames());
  }

  @Override
  public boolean letsFiltersPass() {
    return true;
  }

  @Override
  public boolean keepsCount() {
    return true;
  }

  @Override
  public List<RawDocument> serialize() {
    return explained();
  }

  @Override
  public StageSplit split(QueryContext context) {
    return new StageSplit.OnShards();
  }

  @Override
  public List<RawDocument> explained() {
    var out = new BsonBuilder();
    fields.serialize(out, field -> true);
    return List.of(Stage.explained(name, out.toDocument()));
  }

  @Override
  public boolean makesOneOfOne() {
    return true;
  }

  @Override
  public DocumentStream over(DocumentStream input, StageRun run) {
    var out = new BsonBuilder();
    var frame = new Frame(run.space().meter());
    return () -> {
      RawDocument document = input.next();
      if (document == null) {
        return null;
      }
      out.reset(0);
      fields.append(document, frame.on(document), out);
      out.end();
      return new RawDocument(out.bytes(), 0, out.position());
    };
  }
}
