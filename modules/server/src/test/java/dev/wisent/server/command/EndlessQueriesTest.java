package dev.wisent.server.command;

import dev.wisent.bson.RawDocument;
import dev.wisent.server.harness.EmbeddedServer;
import dev.wisent.server.harness.Eventually;
import dev.wisent.server.harness.RawClient;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Queries that would run for hours, one for each stage and expression that loops: {@code killOp},
 * {@code maxTimeMS} and the end of the client stop them all.
 */
@Execution(ExecutionMode.CONCURRENT)
class EndlessQueriesTest {
  @RegisterExtension static final EmbeddedServer SERVER = new EmbeddedServer();

  private static final EndlessCommands ENDLESS = new EndlessCommands(SERVER);

  private static final int MANY = 100_000;

  /** As many elements, which the optimizer does not know. */
  private static final String ELEMENTS = "{$range: [0, {$multiply: [" + MANY + ", '$one']}]}";

  /** Ten thousand million documents. */
  private static final String DOCUMENTS =
      "{$project: {_id: 0, one: 1, a: %1$s}}, {$unwind: '$a'}, {$addFields: {b: %1$s}}, {$unwind: '$b'}"
          .formatted(ELEMENTS);

  private static final String NONE = "{$match: {b: {$lt: 0}}}";

  /** An expression of each of many elements; its value is small. */
  private static String looping(String expression) {
    return "{$reduce: {input: %s, initialValue: 0, in: {$add: [{$cond: [%s, 0, 0]}, '$$this']}}}"
        .formatted(ELEMENTS, expression);
  }

  private static final String NESTED = looping(looping("true"));

  @BeforeAll
  static void fill() {
    SERVER.run("{insert: 'one', documents: [{_id: 1, one: 1, n: [1, 2, 3]}]}");
    SERVER.run("{insert: 'two', documents: [{_id: 1, one: 1, b: 7}, {_id: 2, one: 1, b: 7}]}");
    SERVER.run("{create: 'checked', validator: {$expr: {$lt: [%s, 0]}}}".formatted(NESTED));
  }

  private static Map<String, String> commands() {
    var commands = new LinkedHashMap<String, String>();
    for (String stage : STAGES) {
      commands.put(stage, pipeline(DOCUMENTS + ", " + stage + ", " + NONE));
    }
    for (String stage : LAST_STAGES) {
      commands.put(stage, pipeline(DOCUMENTS + ", " + stage));
    }
    for (String expression : EXPRESSIONS) {
      commands.put(expression, pipeline("{$project: {x: " + looping(expression) + "}}"));
    }
    for (String stage : EVALUATING_STAGES) {
      commands.put(stage, pipeline(stage));
    }
    for (String command : COMMANDS) {
      commands.put(command, command);
    }
    return commands;
  }

  private static String pipeline(String stages) {
    return "aggregate: 'one', pipeline: [" + stages + "], cursor: {}";
  }

  /** Stages over documents without end. */
  private static final List<String> STAGES =
      List.of(
          "{$addFields: {c: 1}}",
          "{$bucket: {groupBy: '$a', boundaries: [0, 1000], default: 'more'}}",
          "{$bucketAuto: {groupBy: '$a', buckets: 2}}",
          "{$count: 'n'}",
          "{$densify: {field: 'b', range: {step: 1, bounds: [-1000000000, 1000000000]}}}",
          "{$facet: {x: [{$match: {a: -1}}], y: [{$skip: 1000000000000}]}}",
          "{$fill: {sortBy: {a: 1}, output: {c: {method: 'linear'}}}}",
          "{$graphLookup: {from: 'two', startWith: '$b', connectFromField: 'b',"
              + " connectToField: 'b', as: 'c'}}",
          "{$group: {_id: null, n: {$sum: 1}}}",
          "{$group: {_id: '$a', n: {$push: '$b'}}}",
          "{$lookup: {from: 'two', localField: 'b', foreignField: 'b', as: 'c'}}",
          "{$lookup: {from: 'two', let: {b: '$b'}, pipeline: [{$match: {$expr: {$eq: ['$b',"
              + " '$$b']}}}], as: 'c'}}",
          "{$match: {b: -1}}",
          "{$project: {c: 1}}",
          "{$redact: '$$PRUNE'}",
          "{$replaceRoot: {newRoot: '$$ROOT'}}",
          "{$sample: {size: 10}}",
          "{$setWindowFields: {sortBy: {a: 1}, output: {c: {$sum: '$b', window: {documents:"
              + " ['unbounded', 'current']}}}}}",
          "{$skip: 1000000000000000}",
          "{$sort: {b: 1}}",
          "{$sort: {b: 1}}, {$limit: 10}",
          "{$sortByCount: '$a'}",
          "{$unionWith: 'two'}",
          "{$unset: 'c'}");

  private static final List<String> LAST_STAGES =
      List.of("{$out: 'out'}", "{$merge: {into: 'merged'}}");

  /** Expressions that loop or have long arguments, inside of one that loops. */
  private static final List<String> EXPRESSIONS =
      List.of(
          "{$map: {input: %s, in: {$add: ['$$this', 1]}}}".formatted(ELEMENTS),
          "{$filter: {input: %s, cond: {$lt: ['$$this', 0]}}}".formatted(ELEMENTS),
          "{$sum: %s}".formatted(ELEMENTS),
          "{$in: [-1, %s]}".formatted(ELEMENTS),
          "{$indexOfArray: [%s, -1]}".formatted(ELEMENTS),
          "{$reverseArray: %s}".formatted(ELEMENTS),
          "{$sortArray: {input: %s, sortBy: -1}}".formatted(ELEMENTS),
          "{$setUnion: [%1$s, %1$s]}".formatted(ELEMENTS),
          "{$setIsSubset: [%1$s, %1$s]}".formatted(ELEMENTS),
          "{$concatArrays: [%1$s, %1$s]}".formatted(ELEMENTS),
          "{$zip: {inputs: [%1$s, %1$s]}}".formatted(ELEMENTS),
          "{$slice: [%s, 50000]}".formatted(ELEMENTS),
          "{$maxN: {n: 10, input: %s}}".formatted(ELEMENTS),
          "{$anyElementTrue: [[%s]]}".formatted(ELEMENTS),
          "{$let: {vars: {x: %s}, in: {$size: '$$x'}}}".formatted(ELEMENTS),
          "{$getField: {field: 'one', input: {x: %s, one: 1}}}".formatted(ELEMENTS));

  /** Stages whose expressions do not end, each over one document. */
  private static final List<String> EVALUATING_STAGES =
      List.of(
          "{$addFields: {x: %s}}".formatted(NESTED),
          "{$project: {x: %s}}".formatted(NESTED),
          "{$match: {$expr: %s}}".formatted(NESTED),
          "{$group: {_id: %s}}".formatted(NESTED),
          "{$group: {_id: null, x: {$max: %s}}}".formatted(NESTED),
          "{$group: {_id: {one: '$one'}, x: {$firstN: {input: 1, n: %s}}}}".formatted(NESTED),
          "{$bucket: {groupBy: %s, boundaries: [0, 1], default: 2}}".formatted(NESTED),
          "{$bucketAuto: {groupBy: %s, buckets: 2}}".formatted(NESTED),
          "{$sortByCount: %s}".formatted(NESTED),
          "{$redact: {$cond: [{$lt: [%s, 0]}, '$$KEEP', '$$PRUNE']}}".formatted(NESTED),
          "{$replaceWith: {x: %s}}".formatted(NESTED),
          "{$setWindowFields: {partitionBy: %s, output: {x: {$sum: 1}}}}".formatted(NESTED),
          "{$setWindowFields: {sortBy: {_id: 1}, output: {x: {$sum: %s}}}}".formatted(NESTED),
          "{$lookup: {from: 'two', let: {x: %s}, pipeline: [{$match: {$expr: {$eq: ['$$x', 1]}}}],"
                  .formatted(NESTED)
              + " as: 'c'}}",
          "{$lookup: {from: 'two', pipeline: [{$match: {$expr: %s}}], as: 'c'}}".formatted(NESTED),
          "{$graphLookup: {from: 'two', startWith: %s, connectFromField: 'b', connectToField: 'b',"
                  .formatted(NESTED)
              + " as: 'c'}}",
          "{$unionWith: {coll: 'two', pipeline: [{$match: {$expr: %s}}]}}".formatted(NESTED),
          "{$facet: {x: [{$match: {$expr: %s}}]}}".formatted(NESTED),
          "{$merge: {into: 'two', let: {x: %s}, whenMatched: [{$set: {y: '$$x'}}]}}"
              .formatted(NESTED),
          "{$merge: {into: 'two', whenMatched: [{$set: {y: %s}}]}}".formatted(NESTED));

  private static final List<String> COMMANDS =
      List.of(
          "find: 'one', filter: {$expr: %s}".formatted(NESTED),
          "find: 'one', filter: {$nor: [{$expr: %s}]}".formatted(NESTED),
          "find: 'one', projection: {x: %s}".formatted(NESTED),
          "find: 'one', filter: {$where: 'while (true) {}'}",
          "count: 'one', query: {$expr: %s}".formatted(NESTED),
          "distinct: 'one', key: 'n', query: {$expr: %s}".formatted(NESTED),
          "delete: 'one', deletes: [{q: {$expr: {$lt: [%s, 0]}}, limit: 0}]".formatted(NESTED),
          "update: 'one', updates: [{q: {$expr: {$lt: [%s, 0]}}, u: {$set: {y: 1}}}]"
              .formatted(NESTED),
          "update: 'one', updates: [{q: {}, u: [{$set: {x: %s}}]}]".formatted(NESTED),
          "findAndModify: 'one', query: {}, update: [{$set: {x: %s}}]".formatted(NESTED),
          "findAndModify: 'one', query: {}, update: {$set: {y: 1}}, fields: {x: %s}"
              .formatted(NESTED),
          "insert: 'checked', documents: [{one: 1}]",
          "aggregate: 1, pipeline: [{$documents: [{x: %s}]}], cursor: {}"
                  .formatted(NESTED.replace("$one", "$$one"))
              + ", let: {one: {$size: [[1]]}}",
          "aggregate: 'one', pipeline: [{$group: {_id: 1, x: {$accumulator: {init: 'function() {"
              + " while (true) {} }', accumulate: 'function() {}', accumulateArgs: [], merge:"
              + " 'function() {}', lang: 'js'}}}}], cursor: {}",
          "aggregate: 'one', pipeline: [{$project: {x: {$function: {body: 'function() { while"
              + " (true) {} }', args: [], lang: 'js'}}}}], cursor: {}",
          "mapReduce: 'one', map: 'function() { while (true) {} }', reduce: 'function() {}', out:"
              + " {inline: 1}",
          "explain: {aggregate: 'one', pipeline: [%s, {$count: 'n'}], cursor: {}}"
                  .formatted(DOCUMENTS)
              + ", verbosity: 'executionStats'");

  static Stream<Arguments> endless() {
    return commands().entrySet().stream().map(each -> Arguments.of(each.getKey(), each.getValue()));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("endless")
  void killOpEnds(String name, String command) {
    ENDLESS.assertKillOpEnds(command);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("endless")
  void maxTimeEnds(String name, String command) {
    ENDLESS.assertMaxTimeEnds(command);
  }

  /** One of each kind: whether the client has gone is looked at only now and then. */
  @Test
  void endOfTheClientEnds() {
    List<String> comments = new ArrayList<>();
    var clients = new ArrayList<RawClient>();
    for (String command :
        List.of(
            pipeline(DOCUMENTS + ", {$count: 'n'}"),
            pipeline("{$project: {x: " + NESTED + "}}"),
            "find: 'one', filter: {$expr: " + NESTED + "}",
            "find: 'one', filter: {$where: 'while (true) {}'}")) {
      String comment = ENDLESS.newComment();
      RawClient client = SERVER.connect();
      client.send(
          client.message(
              0, RawDocument.parse("{" + command + ", comment: '" + comment + "', $db: 'test'}")));
      Eventually.await("it runs", () -> !ENDLESS.operations(comment).isEmpty());
      comments.add(comment);
      clients.add(client);
    }
    clients.forEach(RawClient::close);
    Eventually.await(
        "they end",
        () -> comments.stream().allMatch(comment -> ENDLESS.operations(comment).isEmpty()));
  }
}
