package dev.wisent.cluster.router;

import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.cluster.call.RemoteCursor;
import dev.wisent.operation.Namespace;
import dev.wisent.server.command.CommandRequest;
import java.util.Set;

/** What can be seen of a command without parsing it. */
final class Pipelines {
  private static final Set<String> WRITING = Set.of("$out", "$merge");
  private static final Set<String> REPORTING =
      Set.of("$collStats", "$indexStats", "$planCacheStats");
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

  /** Whether a command has a pipeline that begins with a stage that the router answers itself. */
  static boolean isOfRouter(RawDocument command) {
    RawValue pipeline = command.get("pipeline");
    if (pipeline == null || !pipeline.isArray()) {
      return false;
    }
    ElementCursor stages = pipeline.elements();
    return stages.next()
        && stages.value().isDocument()
        && stages.value().asDocument().get("$currentOp") != null;
  }

  /** Whether a command has a pipeline that begins with what each shard reports on itself. */
  static boolean reports(RawDocument command) {
    RawValue pipeline = command.get("pipeline");
    if (pipeline == null || !pipeline.isArray()) {
      return false;
    }
    ElementCursor stages = pipeline.elements();
    return stages.next() && mentions(stages.value(), REPORTING);
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
