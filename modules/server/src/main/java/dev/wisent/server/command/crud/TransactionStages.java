package dev.wisent.server.command.crud;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import java.util.Set;

/** Which stages a pipeline must not have in a transaction. */
final class TransactionStages {
  /** They tell about the server, or about what other transactions did. */
  private static final Set<String> REPORTS =
      Set.of(
          "$changeStream",
          "$collStats",
          "$currentOp",
          "$indexStats",
          "$listCatalog",
          "$listClusterCatalog",
          "$listLocalSessions",
          "$listSampledQueries",
          "$listSearchIndexes",
          "$listSessions",
          "$planCacheStats",
          "$querySettings",
          "$queryStats",
          "$shardedDataDistribution");

  private static final Set<String> REFUSED = Set.of("$merge", "$out", "$unionWith");

  private TransactionStages() {}

  /** Fails if one of the stages, or of those inside of them, is refused. */
  static void check(RawDocument stages) {
    ElementCursor entries = stages.elements();
    while (entries.next()) {
      ElementCursor stage = entries.value().isDocument() ? entries.value().elements() : null;
      if (stage != null && stage.next()) {
        check(stage.name());
        checkInner(stage.name(), stage.value());
      }
    }
  }

  private static void check(String name) {
    if (REPORTS.contains(name)) {
      throw refused(
          "Operation not permitted in transaction :: caused by :: Aggregation stage "
              + name
              + " cannot run within a multi-document transaction.");
    }
    if (REFUSED.contains(name)) {
      throw refused("Stage not supported inside of a multi-document transaction: " + name);
    }
  }

  private static void checkInner(String name, RawValue argument) {
    if (!argument.isDocument()) {
      return;
    }
    if (name.equals("$lookup")) {
      RawValue pipeline = argument.asDocument().get("pipeline");
      if (pipeline != null && pipeline.isArray()) {
        check(pipeline.asDocument());
      }
    } else if (name.equals("$facet")) {
      ElementCursor pipelines = argument.elements();
      while (pipelines.next()) {
        if (pipelines.value().isArray()) {
          check(pipelines.value().asDocument());
        }
      }
    }
  }

  private static CommandException refused(String message) {
    return new CommandException(ErrorCode.OPERATION_NOT_SUPPORTED_IN_TRANSACTION, message);
  }
}
