package dev.wisent.pipeline.window;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.pipeline.AddFieldsStage;
import dev.wisent.pipeline.Stage;
import dev.wisent.query.context.QueryContext;
import dev.wisent.query.projection.AddFieldsParser;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Reads {@code $fill}. What is filled from neighbours becomes a {@code $setWindowFields}, what is
 * filled with a value of its own an {@code $addFields}.
 */
final class FillParser {
  private static final String NAME = "$fill";

  private final BsonBuilder windows = new BsonBuilder();
  private final BsonBuilder values = new BsonBuilder();

  private FillParser() {}

  static List<Stage> parse(RawValue argument, QueryContext context) {
    SpecFields spec =
        SpecFields.readStage(
            NAME, "The ", argument, Set.of("sortBy", "partitionBy", "partitionByFields", "output"));
    RawValue sortBy = spec.get("sortBy", ElementType.DOCUMENT);
    RawValue partitionBy = spec.get("partitionBy", ElementType.DOCUMENT, ElementType.STRING);
    List<String> partitionByFields = spec.strings("partitionByFields");
    RawDocument output = spec.require("output", ElementType.DOCUMENT).asDocument();
    if (output.isEmpty()) {
      throw new CommandException(
          ErrorCode.FILL_WITHOUT_OUTPUT,
          "The output field in '$fill' must contain an object with at least one element");
    }
    var fill = new FillParser();
    ElementCursor fields = output.elements();
    while (fields.next()) {
      fill.add(fields.name(), fields.value());
    }
    if (partitionBy != null && partitionByFields != null) {
      throw new CommandException(
          ErrorCode.FILL_TWO_PARTITIONS,
          "Maximum one of 'partitionBy' and 'partitionByFields can be specified in '$fill'");
    }
    RawValue partition =
        partitionByFields == null ? partitionBy : RawValue.ofDocument(paths(partitionByFields));
    return fill.stages(sortBy, partition, context);
  }

  private static RawDocument paths(List<String> names) {
    var paths = new BsonBuilder();
    names.forEach(name -> paths.appendString(name, "$" + name));
    return paths.toDocument();
  }

  private void add(String name, RawValue output) {
    if (!output.isDocument()) {
      throw new CommandException(
          ErrorCode.FILL_OUTPUT_NOT_OBJECT,
          "Each fill output specification must be an object with exactly one field");
    }
    SpecFields spec = SpecFields.read(NAME, output, Set.of("value", "method"));
    RawValue method = spec.get("method", ElementType.STRING);
    RawValue value = spec.get("value");
    if (method != null && value != null) {
      throw new CommandException(
          ErrorCode.FILL_VALUE_AND_METHOD,
          "Each fill output specification must have exactly one of 'method' or 'value' fields, not"
              + " both");
    }
    if (method != null) {
      windows.startDocument(name).appendString(function(method.asString()), "$" + name).end();
    }
    if (value != null) {
      values.startDocument(name).startArray("$ifNull");
      values.append(0, RawValue.ofString("$" + name)).append(1, value).end().end();
    }
  }

  private static String function(String method) {
    return switch (method) {
      case "locf" -> "$locf";
      case "linear" -> "$linearFill";
      default ->
          throw new CommandException(ErrorCode.FILL_METHOD, "Method must be either locf or linear");
    };
  }

  private List<Stage> stages(RawValue sortBy, RawValue partitionBy, QueryContext context) {
    var stages = new ArrayList<Stage>();
    RawDocument output = windows.toDocument();
    if (!output.isEmpty()) {
      var spec = new BsonBuilder().appendDocument("output", output);
      if (sortBy != null) {
        spec.append("sortBy", sortBy);
      }
      if (partitionBy != null) {
        spec.append("partitionBy", partitionBy);
      }
      stages.addAll(SetWindowFieldsParser.parse(RawValue.ofDocument(spec.toDocument()), context));
    }
    RawDocument added = values.toDocument();
    if (!added.isEmpty()) {
      RawValue fields = RawValue.ofDocument(added);
      stages.add(
          new AddFieldsStage("$addFields", AddFieldsParser.parse("$addFields", fields, context)));
    }
    return stages;
  }
}
