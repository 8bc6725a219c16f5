package dev.wisent.pipeline.write;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.pipeline.Pipeline;
import dev.wisent.pipeline.write.MergeStage.WhenMatched;
import dev.wisent.pipeline.write.MergeStage.WhenNotMatched;
import dev.wisent.query.context.QueryContext;
import dev.wisent.query.expression.Expression;
import dev.wisent.query.expression.ExpressionParser;
import dev.wisent.query.expression.Values;
import dev.wisent.query.path.FieldPath;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads the argument of {@code $merge}. Belongs to one parse. */
final class MergeParser {
  private static final String NEW = "new";
  private static final RawValue ROOT = RawValue.ofString("$$ROOT");

  private final QueryContext context;
  private String database;
  private String collection;
  private List<String> on;
  private RawDocument let;
  private WhenMatched whenMatched = WhenMatched.MERGE;
  private RawDocument pipeline;
  private WhenNotMatched whenNotMatched = WhenNotMatched.INSERT;

  private MergeParser(QueryContext context) {
    this.context = context;
  }

  static MergeStage parse(RawValue argument, QueryContext context) {
    var parser = new MergeParser(context);
    if (argument.isString()) {
      parser.collection = argument.asString();
    } else if (argument.isDocument()) {
      parser.readFields(argument.asDocument());
    } else {
      throw new CommandException(
          ErrorCode.TYPE_MISMATCH,
          "$merge requires a string or object argument, but found " + Values.typeName(argument));
    }
    return parser.finish();
  }

  private void readFields(RawDocument argument) {
    ElementCursor fields = argument.elements();
    while (fields.next()) {
      RawValue value = fields.value();
      switch (fields.name()) {
        case "into" -> readTarget(value);
        case "on" -> on = paths(value);
        case "let" -> let = SpecField.document("$merge.let", value);
        case "whenMatched" -> readWhenMatched(value);
        case "whenNotMatched" -> whenNotMatched = whenNotMatched(value);
        default -> throw SpecField.unknown("$merge." + fields.name());
      }
    }
    if (collection == null) {
      throw SpecField.missing("$merge.into");
    }
  }

  private void readTarget(RawValue into) {
    if (into.isString()) {
      collection = into.asString();
      if (collection.isEmpty()) {
        throw new CommandException(
            ErrorCode.MERGE_INTO_EMPTY, "$merge 'into' field cannot be an empty string");
      }
      return;
    }
    if (!into.isDocument()) {
      throw new CommandException(
          ErrorCode.MERGE_INTO_TYPE,
          "$merge 'into' field  must be either a string or an object, but found "
              + Values.typeName(into));
    }
    ElementCursor fields = into.elements();
    while (fields.next()) {
      if (fields.value().isNullish()) {
        continue;
      }
      switch (fields.name()) {
        case "db" -> database = SpecField.string("into.db", fields.value());
        case "coll" -> collection = SpecField.string("into.coll", fields.value());
        default -> throw SpecField.unknown("into." + fields.name());
      }
    }
    if (collection == null || collection.isEmpty()) {
      throw new CommandException(
          ErrorCode.MERGE_INTO_WITHOUT_COLLECTION,
          "$merge 'into' field must specify a 'coll' that is not empty, null or undefined");
    }
  }

  private static List<String> paths(RawValue value) {
    var paths = new ArrayList<String>();
    if (value.isString()) {
      paths.add(value.asString());
    } else if (value.isArray()) {
      ElementCursor elements = value.elements();
      while (elements.next()) {
        if (!elements.value().isString()) {
          throw new CommandException(
              ErrorCode.MERGE_ON_ELEMENT_TYPE,
              "$merge 'on' array elements must be strings, but found "
                  + Values.typeName(elements.value()));
        }
        paths.add(elements.value().asString());
      }
    } else {
      throw new CommandException(
          ErrorCode.MERGE_ON_TYPE,
          "$merge 'on' field  must be either a string or an array of strings, but found "
              + Values.typeName(value));
    }
    if (paths.isEmpty()) {
      throw new CommandException(
          ErrorCode.MERGE_ON_EMPTY,
          "If explicitly specifying $merge 'on', must include at least one field");
    }
    for (int i = 0; i < paths.size(); i++) {
      FieldPath.strict(paths.get(i));
      if (paths.indexOf(paths.get(i)) < i) {
        throw new CommandException(
            ErrorCode.MERGE_ON_DUPLICATE, "Found a duplicate field '" + paths.get(i) + "'");
      }
    }
    Collections.sort(paths);
    return List.copyOf(paths);
  }

  private void readWhenMatched(RawValue value) {
    if (value.isArray()) {
      whenMatched = WhenMatched.PIPELINE;
      pipeline = value.asDocument().detached();
      return;
    }
    if (!value.isString()) {
      throw new CommandException(
          ErrorCode.MERGE_WHEN_MATCHED_TYPE,
          "$merge 'whenMatched' field  must be either a string or an array, but found "
              + Values.typeName(value));
    }
    for (WhenMatched each : WhenMatched.values()) {
      if (each != WhenMatched.PIPELINE && each.text().equals(value.asString())) {
        whenMatched = each;
        return;
      }
    }
    throw badMode("whenMatched", value.asString());
  }

  private static WhenNotMatched whenNotMatched(RawValue value) {
    String text = SpecField.string("$merge.whenNotMatched", value);
    for (WhenNotMatched each : WhenNotMatched.values()) {
      if (each.text().equals(text)) {
        return each;
      }
    }
    throw badMode("$merge.whenNotMatched", text);
  }

  private static CommandException badMode(String field, String value) {
    return new CommandException(
        ErrorCode.BAD_VALUE,
        "Enumeration value '" + value + "' for field '" + field + "' is not a valid value.");
  }

  private MergeStage finish() {
    boolean insertOnly =
        whenMatched == WhenMatched.KEEP_EXISTING || whenMatched == WhenMatched.FAIL;
    if (insertOnly && whenNotMatched != WhenNotMatched.INSERT) {
      throw new CommandException(
          ErrorCode.MERGE_MODES,
          "Combination of $merge modes 'whenMatched: "
              + whenMatched.text()
              + "' and 'whenNotMatched: "
              + whenNotMatched.text()
              + "' is not supported");
    }
    Map<String, Expression> variables = variables();
    if (pipeline != null) {
      Pipeline.parseForUpdate(pipeline, context.declaring(List.copyOf(variables.keySet())));
    }
    var stage =
        new MergeStage(
            database,
            collection,
            on,
            variables,
            whenMatched,
            pipeline,
            whenNotMatched,
            context.collation());
    stage.checkSystem(collection, ErrorCode.MERGE_STAGE_SPECIAL_COLLECTION, "Cannot");
    return stage;
  }

  private Map<String, Expression> variables() {
    if (pipeline == null) {
      if (let != null) {
        throw new CommandException(
            ErrorCode.MERGE_LET_WITHOUT_PIPELINE,
            "Cannot use 'let' variables with 'whenMatched: " + whenMatched.text() + "' mode");
      }
      return Map.of();
    }
    RawDocument named =
        let == null ? new BsonBuilder().append(NEW, ROOT).toDocument() : let.detached();
    RawValue given = named.get(NEW);
    if (given != null && !(given.isString() && given.asString().equals(ROOT.asString()))) {
      throw new CommandException(
          ErrorCode.MERGE_LET_NEW,
          "'let' may not define a value for the reserved 'new' variable other than '$$ROOT'");
    }
    Map<String, Expression> variables = new LinkedHashMap<>();
    ElementCursor fields = named.elements();
    while (fields.next()) {
      ExpressionParser.of(context).define(fields.name());
      variables.put(fields.name(), ExpressionParser.parse(fields.value(), context));
    }
    if (given == null && whenNotMatched == WhenNotMatched.INSERT) {
      variables.put(NEW, ExpressionParser.parse(ROOT, context));
    }
    return variables;
  }
}
