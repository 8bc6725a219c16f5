package dev.wisent.cluster.router;

import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.cluster.call.RemoteCursor;
import dev.wisent.operation.Namespace;
import dev.wisent.pipeline.changestream.ChangeStreamStage;
import dev.wisent.server.command.CommandRequest;
import java.util.Locale;
import java.util.Set;

/** What can be seen of a command without parsing it. */
final class Pipelines {
  private static final Set<String> WRITING = Set.of("$out", "$merge");
  private static final Set<String> REPORTING =
      Set.of("$collStats", "$indexStats", "$listCatalog", "$planCacheStats");
  private static final Set<String> QUERIES =
      Set.of("find", "count", "distinct", "update", "delete", "findandmodify");
  private static final Set<String> OF_OTHER_COLLECTIONS =
      Set.of("$lookup", "$graphLookup", "$unionWith", "$out", "$merge");

  private Pipelines() {}

  /** Whether a command has a pipeline that writes its result. */
  static boolean writes(RawDocument command) {
    return mentions(command.get("pipeline"), WRITING);
  }

  /** Whether a command has a pipeline that has to do with other collections. */
  static boolean joins(RawDocument command) {
    return mentions(command.get("pipeline"), OF_OTHER_COLLECTIONS);
  }

  /** The name of the first stage of a command's pipeline; empty where there is none. */
  static String firstStage(RawDocument command) {
    RawValue pipeline = command.get("pipeline");
    if (pipeline == null || !pipeline.isArray()) {
      return "";
    }
    ElementCursor stages = pipeline.elements();
    if (!stages.next() || !stages.value().isDocument()) {
      return "";
    }
    ElementCursor stage = stages.value().elements();
    return stage.next() ? stage.name() : "";
  }

  /** Whether a command opens a change stream, or explains one. */
  static boolean isStream(CommandRequest request) {
    RawDocument explained =
        request.name().equals("explain") ? explainedAggregate(request) : request.body();
    return explained != null && firstStage(explained).equals(ChangeStreamStage.NAME);
  }

  /** Whether a command has a pipeline that begins with what each shard reports on itself. */
  static boolean reports(RawDocument command) {
    return REPORTING.contains(firstStage(command));
  }

  /** Whether a pipeline has a stage anywhere that shows what each shard reports on itself. */
  static boolean mentionsReports(RawDocument command) {
    return mentions(command.get("pipeline"), REPORTING);
  }

  /** The pipeline that a command explains; null where it explains anything else. */
  static RawDocument explainedAggregate(CommandRequest request) {
    return request.argument().isDocument()
            && request.argument().asDocument().get("aggregate") != null
        ? request.argument().asDocument()
        : null;
  }

  /** Whether a command explains what has a plan on each shard, as all but pipelines have. */
  static boolean isQueryExplained(CommandRequest request) {
    if (!request.argument().isDocument()) {
      return false;
    }
    ElementCursor inner = request.argument().elements();
    return inner.next() && QUERIES.contains(inner.name().toLowerCase(Locale.ROOT));
  }

  /** Where a {@code mapReduce} writes to; null for its reply, and for what is in no order. */
  static Namespace mapReduceTarget(CommandRequest request) {
    RawValue out = request.body().get("out");
    if (out == null) {
      return null;
    }
    if (out.isString()) {
      return new Namespace(request.database(), out.asString());
    }
    if (!out.isDocument()) {
      return null;
    }
    RawValue database = out.asDocument().get("db");
    String in = database != null && database.isString() ? database.asString() : request.database();
    for (String mode : new String[] {"replace", "merge", "reduce"}) {
      RawValue collection = out.asDocument().get(mode);
      if (collection != null && collection.isString()) {
        return new Namespace(in, collection.asString());
      }
    }
    return null;
  }

  private static boolean mentions(RawValue value, Set<String> names) {
    if (value == null || !(value.isArray() || value.isDocument())) {
      return false;
    }
    ElementCursor fields = value.elements();
    while (fields.next()) {
      if (names.contains(fields.name()) || mentions(fields.value(), names)) {
        return true;
      }
    }
    return false;
  }

  /** How the cursor of a command waits at its end. */
  static RemoteCursor.Tailing tailing(RawDocument command) {
    RawValue pipeline = command.get("pipeline");
    if (mentions(pipeline, Set.of("$changeStream"))) {
      return RemoteCursor.Tailing.CHANGE_STREAM;
    }
    RawValue tailable = command.get("tailable");
    RawValue await = command.get("awaitData");
    if (tailable == null || !tailable.isTruthy()) {
      return RemoteCursor.Tailing.NONE;
    }
    return await != null && await.isTruthy()
        ? RemoteCursor.Tailing.AWAIT_DATA
        : RemoteCursor.Tailing.TAILABLE;
  }
}
