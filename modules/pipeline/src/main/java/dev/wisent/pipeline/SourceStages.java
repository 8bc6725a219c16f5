package dev.wisent.pipeline;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueText;
import dev.wisent.query.expression.Values;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The table of stages that stand first and make documents of what the server knows, not of those of
 * a collection. The runner of a pipeline has to find out these documents for it.
 */
public final class SourceStages {
  private static final List<Row> ROWS =
      List.of(
          ofCollection(
              "$collStats",
              true,
              argument ->
                  new CommandException(
                      ErrorCode.COLL_STATS_STAGE_NOT_OBJECT,
                      "$collStats must take a nested object but found: $collStats: "
                          + ValueText.of(argument))),
          ofCollection(
              "$indexStats",
              false,
              argument ->
                  new CommandException(
                      ErrorCode.INDEX_STATS_STAGE_NOT_EMPTY,
                      "The $indexStats stage specification must be an empty object")),
          ofCollection(
              "$listCatalog",
              false,
              argument ->
                  new CommandException(
                      ErrorCode.LIST_CATALOG_STAGE_NOT_EMPTY,
                      "The $listCatalog stage specification must be an empty object")),
          ofCollection("$listSessions", true, argument -> notObject("$listSessions", argument)),
          ofCollection(
              "$planCacheStats",
              true,
              argument ->
                  new CommandException(
                      ErrorCode.FAILED_TO_PARSE,
                      "$planCacheStats value must be an object. Found: "
                          + Values.typeName(argument))),
          new Row(
              "$currentOp",
              true,
              argument -> notObject("$currentOp", argument),
              ErrorCode.INVALID_NAMESPACE,
              "$currentOp must be run against the 'admin' database with {aggregate: 1}"),
          new Row(
              "$listClusterCatalog",
              true,
              argument ->
                  new CommandException(
                      ErrorCode.LIST_CLUSTER_CATALOG_STAGE_NOT_OBJECT,
                      "$listClusterCatalog must take an object but found: $listClusterCatalog: "
                          + ValueText.of(argument)),
              ErrorCode.LIST_CLUSTER_CATALOG_STAGE_ON_COLLECTION,
              "The $listClusterCatalog stage must run on a database, not a collection."),
          new Row(
              "$listLocalSessions",
              true,
              argument -> notObject("$listLocalSessions", argument),
              ErrorCode.INVALID_NAMESPACE,
              "$listLocalSessions must be run against the database with {aggregate: 1}, not a"
                  + " collection"),
          new Row(
              "$listSampledQueries",
              true,
              argument -> notObject("$listSampledQueries", argument),
              ErrorCode.INVALID_NAMESPACE,
              "$listSampledQueries must be run against the 'admin' database with {aggregate: 1}"),
          new Row(
              "$querySettings",
              true,
              argument ->
                  new CommandException(
                      ErrorCode.QUERY_SETTINGS_STAGE_NOT_OBJECT,
                      "$querySettings stage expects a document as argument"),
              ErrorCode.INVALID_NAMESPACE,
              "$querySettings must be run against the 'admin' database with {aggregate: 1}"),
          new Row(
              "$shardedDataDistribution",
              false,
              argument ->
                  new CommandException(
                      ErrorCode.DATA_DISTRIBUTION_STAGE_NOT_EMPTY,
                      "The $shardedDataDistribution stage specification must be an empty object"),
              ErrorCode.INVALID_NAMESPACE,
              "$shardedDataDistribution must be run against the 'admin' database with {aggregate:"
                  + " 1}"));

  private static final Map<String, Row> BY_NAME =
      ROWS.stream().collect(Collectors.toUnmodifiableMap(Row::name, Function.identity()));

  private SourceStages() {}

  /**
   * A row of the table.
   *
   * @param options whether there are any
   * @param wrongArgument the complaint about one that is not as it must be
   * @param onCollection the code of the complaint where the stage stands in a pipeline over a
   *     collection; null if it may
   */
  private record Row(
      String name,
      boolean options,
      Function<RawValue, CommandException> wrongArgument,
      ErrorCode onCollection,
      String onCollectionMessage) {
    boolean takes(RawValue argument) {
      return argument.isDocument() && (options || argument.asDocument().isEmpty());
    }
  }

  private static Row ofCollection(
      String name, boolean options, Function<RawValue, CommandException> wrongArgument) {
    return new Row(name, options, wrongArgument, null, null);
  }

  private static CommandException notObject(String name, RawValue argument) {
    return new CommandException(
        ErrorCode.TYPE_MISMATCH,
        name + " options must be specified in an object, but found: " + Values.typeName(argument));
  }

  static Set<String> names() {
    return BY_NAME.keySet();
  }

  static boolean contains(String name) {
    return BY_NAME.containsKey(name);
  }

  static void checkArgument(String name, RawValue argument) {
    Row row = BY_NAME.get(name);
    if (!row.takes(argument)) {
      throw row.wrongArgument().apply(argument);
    }
  }

  /**
   * Fails if a stage cannot stand in a pipeline over a collection.
   *
   * @param name null where there is no such stage
   */
  public static void checkOnCollection(String name) {
    Row row = name == null ? null : BY_NAME.get(name);
    if (row != null && row.onCollection() != null) {
      throw new CommandException(row.onCollection(), row.onCollectionMessage());
    }
  }
}
