package dev.wisent.server.dispatch;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.command.CommandSpec;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Checks the parameters of the stable API that a client may declare. */
final class ApiParameters {
  /** Arguments of commands in version 1 that are not in it themselves. */
  private static final Map<String, Set<String>> ARGUMENTS_OUTSIDE =
      Map.of(
          "find",
          Set.of(
              "awaitData",
              "max",
              "min",
              "noCursorTimeout",
              "oplogReplay",
              "returnKey",
              "showRecordId",
              "tailable"),
          "create",
          Set.of("autoIndexId", "capped", "indexOptionDefaults", "max", "size", "storageEngine"),
          "aggregate",
          Set.of("exchange", "fromMongos", "fromRouter", "isMapReduceCommand", "needsMerge"));

  private static final Set<String> STAGES_OUTSIDE =
      Set.of(
          "$currentOp",
          "$indexStats",
          "$listCatalog",
          "$listLocalSessions",
          "$listSampledQueries",
          "$listSearchIndexes",
          "$listSessions",
          "$operationMetrics",
          "$planCacheStats",
          "$querySettings",
          "$queryStats",
          "$search",
          "$searchBeta",
          "$searchMeta",
          "$shardedDataDistribution",
          "$vectorSearch");

  /** Arguments of reading commands that may ask for metadata. */
  private static final List<String> WITH_METADATA = List.of("pipeline", "projection", "sort");

  private static final Set<String> METADATA_OUTSIDE =
      Set.of(
          "indexKey",
          "searchHighlights",
          "searchScore",
          "searchScoreDetails",
          "searchSequenceToken",
          "textScore");

  /** Commands of the handshake, and those that take the requirement back. */
  private static final Set<String> WITHOUT_VERSION =
      Set.of("hello", "isMaster", "getParameter", "setParameter");

  private ApiParameters() {}

  /**
   * @param required whether clients have to declare a version; those that ask what this server is
   *     need not
   */
  static void check(CommandRequest request, CommandSpec spec, boolean required) {
    String version = request.api().version();
    if (version == null) {
      if (request.api().strict() || request.api().deprecationErrors()) {
        throw new CommandException(
            ErrorCode.API_VERSION_REQUIRED,
            "Provided apiStrict and/or apiDeprecationErrors without passing apiVersion");
      }
      if (required && !WITHOUT_VERSION.contains(spec.name())) {
        throw new CommandException(
            ErrorCode.API_VERSION_MISSING,
            "The apiVersion parameter is required, please configure your MongoClient's API"
                + " version");
      }
      return;
    }
    if (!version.equals("1")) {
      throw new CommandException(ErrorCode.API_VERSION_ERROR, "API version must be \"1\"");
    }
    if (request.api().strict()) {
      checkStrict(request, spec);
    }
  }

  private static void checkStrict(CommandRequest request, CommandSpec spec) {
    if (!spec.scope().api().contains(request.api().version())) {
      throw strict(
          "Provided apiStrict:true, but the command " + spec.name() + " is not in API Version 1");
    }
    Set<String> outside = ARGUMENTS_OUTSIDE.getOrDefault(spec.name(), Set.of());
    ElementCursor fields = request.body().elements();
    while (fields.next()) {
      if (outside.contains(fields.name())) {
        throw strict(
            "BSON field '"
                + request.nameInErrors()
                + "."
                + fields.name()
                + "' is not allowed with apiStrict:true.");
      }
    }
    if (spec.name().equals("find") || spec.name().equals("aggregate")) {
      WITH_METADATA.forEach(name -> checkMetadata(request.body().get(name)));
    }
    RawValue pipeline = spec.name().equals("aggregate") ? request.body().get("pipeline") : null;
    if (pipeline != null && pipeline.isArray()) {
      checkStages(pipeline.elements());
    }
  }

  /** Looks for {@code $meta} wherever an expression may be. */
  private static void checkMetadata(RawValue part) {
    if (part == null || !(part.isDocument() || part.isArray())) {
      return;
    }
    ElementCursor fields = part.elements();
    while (fields.next()) {
      RawValue value = fields.value();
      if (fields.name().equals("$meta")
          && value.isString()
          && METADATA_OUTSIDE.contains(value.asString())) {
        throw strict(
            "Provided apiStrict is true with an unstable meta field \"" + value.asString() + '"');
      }
      if (!fields.name().equals("$literal")) {
        checkMetadata(value);
      }
    }
  }

  private static void checkStages(ElementCursor stages) {
    while (stages.next()) {
      ElementCursor stage = stages.value().isDocument() ? stages.value().elements() : null;
      if (stage == null || !stage.next()) {
        continue;
      }
      if (STAGES_OUTSIDE.contains(stage.name())) {
        throw strict(
            "stage " + stage.name() + " is not allowed with 'apiStrict: true' in API Version 1");
      }
      if (stage.name().equals("$collStats") && stage.value().isDocument()) {
        checkCollStats(stage.value().asDocument());
      }
    }
  }

  private static void checkCollStats(RawDocument parts) {
    if (parts.fieldCount() != 1 || parts.get("count") == null) {
      throw strict("only the 'count' option to $collStats is supported in API Version 1");
    }
  }

  private static CommandException strict(String message) {
    return new CommandException(ErrorCode.API_STRICT_ERROR, message);
  }
}
