package dev.wisent.pipeline;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.context.QueryContext;
import dev.wisent.query.expression.Dependencies;
import dev.wisent.query.expression.Values;
import dev.wisent.query.path.FieldPath;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * {@code $unwind}: a document for each element of an array.
 *
 * @param indexPath where the place in the array is written; null for nowhere
 * @param preserve whether documents without elements are kept
 */
public record UnwindStage(FieldPath path, FieldPath indexPath, boolean preserve) implements Stage {
  private static final String NAME = "$unwind";

  static UnwindStage parse(RawValue argument) {
    if (argument.isString()) {
      return new UnwindStage(path(argument.asString()), null, false);
    }
    require(
        argument.isDocument(),
        ErrorCode.UNWIND_STAGE_ARGUMENT,
        "expected either a string or an object as specification for $unwind stage, got "
            + Values.typeName(argument));
    String path = null;
    FieldPath indexPath = null;
    boolean preserve = false;
    ElementCursor options = argument.elements();
    while (options.next()) {
      RawValue value = options.value();
      switch (options.name()) {
        case "path" -> {
          require(
              value.isString(),
              ErrorCode.UNWIND_STAGE_PATH_NOT_STRING,
              "expected a string as the path for $unwind stage, got " + Values.typeName(value));
          path = value.asString();
        }
        case "preserveNullAndEmptyArrays" -> {
          require(
              value.type() == ElementType.BOOLEAN,
              ErrorCode.UNWIND_STAGE_PRESERVE_NOT_BOOL,
              "expected a boolean for the preserveNullAndEmptyArrays option to $unwind stage, got "
                  + Values.typeName(value));
          preserve = value.asBoolean();
        }
        case "includeArrayIndex" -> indexPath = indexPath(value);
        default ->
            throw new CommandException(
                ErrorCode.UNWIND_STAGE_UNKNOWN,
                "unrecognized option to $unwind stage: " + options.name());
      }
    }
    require(
        path != null, ErrorCode.UNWIND_STAGE_WITHOUT_PATH, "no path specified to $unwind stage");
    return new UnwindStage(path(path), indexPath, preserve);
  }

  private static FieldPath path(String text) {
    require(
        text.startsWith("$"),
        ErrorCode.UNWIND_STAGE_PATH_WITHOUT_DOLLAR,
        "path option to $unwind stage should be prefixed with a '$': " + text);
    return FieldPath.strict(text.substring(1));
  }

  private static FieldPath indexPath(RawValue value) {
    require(
        value.isString() && !value.asString().isEmpty(),
        ErrorCode.UNWIND_STAGE_INDEX_NOT_STRING,
        "expected a non-empty string for the includeArrayIndex  option to $unwind stage, got "
            + Values.typeName(value));
    String text = value.asString();
    require(
        !text.startsWith("$"),
        ErrorCode.UNWIND_STAGE_INDEX_DOLLAR,
        "includeArrayIndex option to $unwind stage should not be prefixed with a '$': " + text);
    return FieldPath.strict(text);
  }

  private static void require(boolean condition, ErrorCode code, String message) {
    if (!condition) {
      throw new CommandException(code, message);
    }
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
    return List.of(Stage.explained(NAME, options()));
  }

  /** The options as explain shows them, also those of a stage that has taken this one in. */
  public RawDocument options() {
    var out = new BsonBuilder().appendString("path", "$" + path);
    if (preserve) {
      out.appendBoolean("preserveNullAndEmptyArrays", true);
    }
    if (indexPath != null) {
      out.appendString("includeArrayIndex", indexPath.dotted());
    }
    return out.toDocument();
  }

  @Override
  public Sight addDependencies(Dependencies dependencies) {
    dependencies.addPath(path.dotted());
    return Sight.OF_INPUT;
  }

  @Override
  public ModifiedPaths modifiedPaths() {
    Set<String> paths = new HashSet<>(Set.of(path.dotted()));
    if (indexPath != null) {
      paths.add(indexPath.dotted());
    }
    return ModifiedPaths.of(paths);
  }

  @Override
  public boolean letsFiltersPass() {
    return true;
  }

  @Override
  public boolean copiesInput() {
    return true;
  }

  @Override
  public boolean takesOneByOne() {
    return true;
  }

  @Override
  public DocumentStream over(DocumentStream input, StageRun run) {
    return new UnwindStream(this, input);
  }
}
