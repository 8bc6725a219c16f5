package dev.wisent.server.command.crud;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.query.script.FunctionSource;

/**
 * A {@code mapReduce} as the stages of a pipeline. The functions are called by functions of ours,
 * inside of which {@code emit} and the variables of the scope have a meaning.
 *
 * @param finish null for none
 * @param limit 0 for none
 */
record MapReducePipeline(
    String map,
    String reduce,
    String finish,
    RawDocument scope,
    RawDocument query,
    RawDocument sort,
    long limit,
    MapReduceOutput output) {

  /** As an array. */
  RawDocument stages() {
    var stages = new BsonBuilder();
    int count = 0;
    if (!query.isEmpty()) {
      stages.startDocument(count++).appendDocument("$match", query).end();
    }
    if (!sort.isEmpty()) {
      stages.startDocument(count++).appendDocument("$sort", sort).end();
    }
    if (limit > 0) {
      stages.startDocument(count++).appendInt64("$limit", limit).end();
    }
    stages.startDocument(count++).startDocument("$project").appendInt32("_id", 0);
    appendCall("emits", emitting(), stages, "$$ROOT");
    stages.end().end();
    stages.startDocument(count++).appendString("$unwind", "$emits").end();
    appendGroup(stages.startDocument(count++));
    stages.end();
    if (finish != null) {
      appendFinish(stages.startDocument(count++));
      stages.end();
    }
    appendOutput(count, stages);
    return stages.toDocument();
  }

  private String emitting() {
    return "function ($document, $scope) { const $emitted = []; const emit = function (k, v) { if"
        + " (arguments.length !== 2) { throw new Error('emit takes 2 args'); } $emitted.push({k: k,"
        + " v: v}); }; with ($scope) { ("
        + function(map)
        + ").call($document); } return $emitted; }";
  }

  private static String scoped(String code, String arguments) {
    return "function ("
        + arguments
        + ", $scope) { with ($scope) { return ("
        + function(code)
        + ")("
        + arguments
        + "); } }";
  }

  /** As a function, with an end to a comment. */
  private static String function(String code) {
    return FunctionSource.functionOf(code) + "\n";
  }

  private String reducing() {
    return scoped(reduce, "$key, $values");
  }

  /** A call with expressions, and with the scope as the last argument. */
  private void appendCall(String name, String code, BsonBuilder out, Object... arguments) {
    out.startDocument(name).startDocument("$function").appendString("body", code);
    out.startArray("args");
    int count = 0;
    for (Object argument : arguments) {
      if (argument instanceof RawDocument array) {
        out.appendArray(Integer.toString(count++), array);
      } else {
        out.appendString(Integer.toString(count++), (String) argument);
      }
    }
    out.startDocument(count).appendDocument("$literal", scope).end();
    out.end().appendString("lang", "js").end().end();
  }

  private void appendGroup(BsonBuilder stage) {
    stage.startDocument("$group").appendString("_id", "$emits.k");
    stage.startDocument("value").startDocument("$_internalJsReduce");
    stage.appendString("key", "$emits.k").appendString("value", "$emits.v");
    stage.appendString("reduce", reducing()).appendDocument("scope", scope);
    stage.end().end().end();
  }

  private void appendFinish(BsonBuilder stage) {
    stage.startDocument("$set");
    appendCall("value", scoped(finish, "$key, $value"), stage, "$_id", "$value");
    stage.end();
  }

  private void appendOutput(int index, BsonBuilder stages) {
    switch (output.kind()) {
      case INLINE -> {}
      case REPLACE -> {
        stages.startDocument(index).startDocument("$out");
        stages.appendString("db", output.database()).appendString("coll", output.collection());
        stages.end().end();
      }
      case MERGE -> {
        appendTarget(index, stages);
        stages.appendString("whenMatched", "replace").end().end();
      }
      case REDUCE -> {
        appendTarget(index, stages);
        appendReduction(stages);
        stages.end().end();
      }
    }
  }

  private void appendTarget(int index, BsonBuilder stages) {
    stages.startDocument(index).startDocument("$merge").startDocument("into");
    stages.appendString("db", output.database()).appendString("coll", output.collection());
    stages.end();
  }

  /** What is there is reduced with what is new, and finished. */
  private void appendReduction(BsonBuilder merge) {
    RawDocument values =
        new BsonBuilder().appendString("0", "$value").appendString("1", "$$new.value").toDocument();
    merge.startArray("whenMatched");
    merge.startDocument(0).startDocument("$set");
    appendCall("value", reducing(), merge, "$_id", values);
    merge.end().end();
    if (finish != null) {
      appendFinish(merge.startDocument(1));
      merge.end();
    }
    merge.end();
  }
}
