package dev.wisent.pipeline;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.context.QueryContext;
import dev.wisent.query.expression.Dependencies;
import dev.wisent.query.projection.ChangedPaths;
import dev.wisent.query.projection.Projection;
import java.util.List;

/** {@code $project} and {@code $unset}. */
public record ProjectStage(Projection projection) implements Stage {
  static ProjectStage parse(RawValue argument, QueryContext context) {
    if (!argument.isDocument()) {
      throw new CommandException(
          ErrorCode.PROJECT_STAGE_NOT_OBJECT, "$project specification must be an object");
    }
    if (argument.asDocument().isEmpty()) {
      throw new CommandException(
          ErrorCode.PROJECT_STAGE_EMPTY,
          "Invalid $project :: caused by :: projection specification must have at least one"
              + " field");
    }
    return new ProjectStage(Projection.parseStage(argument.asDocument(), context));
  }

  public static ProjectStage parseUnset(RawValue argument, QueryContext context) {
    var excluded = new BsonBuilder();
    if (argument.isString()) {
      excluded.appendInt32(argument.asString(), 0);
    } else if (argument.isArray()) {
      excludeAll(argument, excluded);
    } else {
      throw new CommandException(
          ErrorCode.UNSET_STAGE_TYPE, "$unset specification must be a string or an array");
    }
    try {
      return new ProjectStage(Projection.parse(excluded.toDocument(), null, context));
    } catch (CommandException e) {
      throw e.during("Invalid $unset");
    }
  }

  private static void excludeAll(RawValue argument, BsonBuilder excluded) {
    if (argument.asDocument().isEmpty()) {
      throw new CommandException(
          ErrorCode.UNSET_STAGE_EMPTY,
          "$unset specification must be a string or an array with at least one field");
    }
    ElementCursor names = argument.elements();
    while (names.next()) {
      if (!names.value().isString()) {
        throw new CommandException(
            ErrorCode.UNSET_STAGE_NOT_STRING,
            "$unset specification must be a string or an array containing only string values");
      }
      excluded.appendInt32(names.value().asString(), 0);
    }
  }

  @Override
  public Sight addDependencies(Dependencies dependencies) {
    dependencies.addAll(projection.dependencies());
    return projection.isInclusion() ? Sight.OF_RESULT : Sight.OF_INPUT;
  }

  @Override
  public ModifiedPaths modifiedPaths() {
    ChangedPaths changed = projection.changedPaths();
    return (projection.isInclusion()
            ? ModifiedPaths.allBut(changed.paths())
            : ModifiedPaths.of(changed.paths()))
        .renaming(changed.renames());
  }

  @Override
  public boolean letsFiltersPass() {
    return true;
  }

  @Override
  public boolean keepsCount() {
    return true;
  }

  /** As it was written: the order of the fields decides the order of computed ones. */
  @Override
  public List<RawDocument> serialize() {
    return List.of(Stage.explained("$project", projection.source()));
  }

  @Override
  public StageSplit split(QueryContext context) {
    return new StageSplit.OnShards();
  }

  @Override
  public List<RawDocument> explained() {
    return List.of(Stage.explained("$project", ExplainedProjection.of(projection)));
  }

  @Override
  public boolean makesOneOfOne() {
    return true;
  }

  @Override
  public DocumentStream over(DocumentStream input, StageRun run) {
    var out = new BsonBuilder();
    return () -> {
      RawDocument document = input.next();
      if (document == null || projection.isIdentity()) {
        return document;
      }
      out.reset(0);
      projection.append(document, null, out);
      out.end();
      return new RawDocument(out.bytes(), 0, out.position());
    };
  }
}
