package dev.wisent.pipeline.join;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueText;
import dev.wisent.pipeline.join.LookupStage.JoinFields;
import dev.wisent.query.context.QueryContext;
import dev.wisent.query.expression.Values;
import dev.wisent.query.path.FieldPath;
import java.util.List;

/** Reads the arguments of {@code $lookup}. */
final class LookupParser {
  private final QueryContext context;
  private RawValue from;
  private String as = "";
  private String localField = "";
  private String foreignField = "";
  private RawDocument let;
  private RawDocument pipeline;

  private LookupParser(QueryContext context) {
    this.context = context;
  }

  static LookupStage parse(RawValue argument, QueryContext context) {
    require(
        argument.isDocument(),
        "the $lookup stage specification must be an object, but found "
            + Values.typeName(argument));
    var parser = new LookupParser(context);
    ElementCursor fields = argument.elements();
    while (fields.next()) {
      parser.read(fields.name(), fields.value());
    }
    return parser.stage();
  }

  private void read(String name, RawValue value) {
    switch (name) {
      case "pipeline" -> pipeline = SubPipeline.array(value);
      case "let" -> {
        require(
            value.isDocument(),
            "$lookup argument '"
                + written(name, value)
                + "' must be an object, is type "
                + Values.typeName(value));
        let = value.asDocument();
      }
      case "from" -> from = value;
      case "as" -> as = string(name, value);
      case "localField" -> localField = string(name, value);
      case "foreignField" -> foreignField = string(name, value);
      default -> {
        string(name, value);
        throw failed("unknown argument to $lookup: " + name);
      }
    }
  }

  private static String string(String name, RawValue value) {
    require(
        value.isString(),
        "$lookup argument '"
            + name
            + "' must be a string, found "
            + written(name, value)
            + ": "
            + Values.typeName(value));
    return value.asString();
  }

  private static String written(String name, RawValue value) {
    return name + ": " + ValueText.of(value);
  }

  private LookupStage stage() {
    ForeignName foreign = foreign();
    require(!as.isEmpty(), "must specify 'as' field for a $lookup");
    boolean both = joinsByFields();
    boolean neither = localField.isEmpty() && foreignField.isEmpty();
    if (pipeline == null) {
      require(
          both,
          "$lookup requires either 'pipeline' or both 'localField' and 'foreignField' to be"
              + " specified");
      require(let == null, "$lookup with a 'let' argument must also specify 'pipeline'");
    } else {
      require(
          both || neither,
          "$lookup requires both or neither of 'localField' and 'foreignField' to be specified");
    }
    FieldPath target = FieldPath.strict(as);
    JoinFields fields =
        both ? new JoinFields(FieldPath.strict(localField), FieldPath.strict(foreignField)) : null;
    List<LetVariable> variables = LetVariable.parse(let == null ? RawDocument.EMPTY : let, context);
    return new LookupStage(
        foreign.database(),
        foreign.collection(),
        target,
        fields,
        variables,
        pipeline(variables),
        null,
        null,
        context);
  }

  private boolean joinsByFields() {
    return !localField.isEmpty() && !foreignField.isEmpty();
  }

  private SubPipeline pipeline(List<LetVariable> variables) {
    if (pipeline == null) {
      context.deeper();
      return null;
    }
    List<String> names = variables.stream().map(LetVariable::name).toList();
    var parsed =
        SubPipeline.parse(
            LookupStage.NAME, ErrorCode.STAGE_NOT_IN_LOOKUP, pipeline, names, context);
    if (joinsByFields()) {
      // The filter by fields comes before its stages.
      parsed.template().requireInput();
    }
    return parsed;
  }

  private ForeignName foreign() {
    if (from == null || (from.isString() && from.asString().isEmpty() && pipeline != null)) {
      require(pipeline != null, "must specify 'pipeline' when 'from' is empty");
      ElementCursor stages = pipeline.elements();
      require(
          stages.next()
              && stages.value().isDocument()
              && SubPipeline.name(stages.value().asDocument()).equals("$documents"),
          "$lookup stage without explicit collection must have a pipeline with $documents as first"
              + " stage");
      return ForeignName.NONE;
    }
    return ForeignName.parse(LookupStage.NAME, from);
  }

  private static void require(boolean condition, String message) {
    if (!condition) {
      throw failed(message);
    }
  }

  private static CommandException failed(String message) {
    return new CommandException(ErrorCode.FAILED_TO_PARSE, message);
  }
}
