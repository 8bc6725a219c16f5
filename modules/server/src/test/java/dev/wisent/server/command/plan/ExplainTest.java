package dev.wisent.server.command.plan;

import static dev.wisent.server.command.plan.ExplainFixture.DOCUMENTS;
import static dev.wisent.server.command.plan.ExplainFixture.number;
import static dev.wisent.server.command.plan.ExplainFixture.stages;
import static dev.wisent.server.harness.Replies.assertError;
import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.server.harness.EmbeddedServer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ExplainTest {
  @RegisterExtension static final EmbeddedServer SERVER = new EmbeddedServer();

  @BeforeEach
  void fill() {
    ExplainFixture.fill(SERVER);
  }

  private static BsonDocument explain(String command, String verbosity) {
    return ExplainFixture.explain(SERVER, command, verbosity);
  }

  private static BsonDocument winningPlan(String command) {
    return explain(command, "queryPlanner").getDocument("queryPlanner").getDocument("winningPlan");
  }

  private static BsonDocument executionStats(String command) {
    return explain(command, "executionStats").getDocument("executionStats");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {find: 'c'}                                        | COLLSCAN
          {find: 'c', filter: {a: 3}}                        | FETCH IXSCAN
          {find: 'c', filter: {a: 3}, sort: {b: -1}}         | FETCH IXSCAN
          {find: 'c', sort: {x: 1}, limit: 2}                | SORT COLLSCAN
          {find: 'c', filter: {a: 3}, limit: 5, skip: 1}     | LIMIT FETCH SKIP IXSCAN
          {find: 'c', filter: {_id: 3}}                      | EXPRESS_IXSCAN
          {find: 'c', filter: {_id: 3}, projection: {a: 1}}  | EXPRESS_IXSCAN
          {find: 'c', filter: {_id: 3}, projection: {t: {$slice: 1}}} | PROJECTION_DEFAULT IDHACK
          {find: 'c', filter: {a: 3}, projection: {a: 1, b: 1, _id: 0}} | PROJECTION_COVERED IXSCAN
          {find: 'c', filter: {x: 3}, projection: {a: 1}}    | PROJECTION_SIMPLE COLLSCAN
          {find: 'missing', filter: {a: 3}}                  | EOF
          {count: 'c'}                                       | RECORD_STORE_FAST_COUNT
          {count: 'c', query: {a: 3}}                        | COUNT COUNT_SCAN
          {count: 'c', query: {x: 3}}                        | COUNT COLLSCAN
          {count: 'missing'}                                 | COUNT EOF
          {distinct: 'c', key: 'a'}                          | PROJECTION_COVERED DISTINCT_SCAN
          {distinct: 'c', key: 'x'}                          | COLLSCAN
          {delete: 'c', deletes: [{q: {a: 3}, limit: 1}]}    | DELETE FETCH IXSCAN
          {delete: 'c', deletes: [{q: {_id: 3}, limit: 1}]}  | EXPRESS_DELETE
          {update: 'c', updates: [{q: {a: 3}, u: {$set: {z: 1}}}]} | UPDATE FETCH IXSCAN
          {update: 'c', updates: [{q: {_id: 3}, u: {$set: {z: 1}}}]} | EXPRESS_UPDATE
          {findAndModify: 'c', query: {a: 3}, remove: true}  | DELETE FETCH IXSCAN
          {findAndModify: 'c', query: {a: 3}, remove: true, fields: {a: 1}} | PROJECTION_DEFAULT DELETE FETCH IXSCAN
          {update: 'c', updates: [{q: {_id: 3}, u: {}, upsert: true}]} | UPDATE IDHACK
          {delete: 'c', deletes: [{q: {a: 3}, limit: 0}]}    | BATCHED_DELETE FETCH IXSCAN
          {aggregate: 'c', pipeline: [{$match: {a: 3}}], cursor: {}} | FETCH IXSCAN
          """)
  void winningPlans(String command, String expected) {
    assertThat(stages(winningPlan(command))).isEqualTo(expected);
    BsonDocument all = explain(command, "allPlansExecution");
    BsonDocument stats = all.getDocument("executionStats");
    assertThat(stages(stats.getDocument("executionStages"))).isEqualTo(expected);
    assertThat(stats.getBoolean("executionSuccess").getValue()).isTrue();
    assertThat(stats.isArray("allPlansExecution")).isTrue();
  }

  @Test
  void theWholeReply() {
    BsonDocument reply = explain("{find: 'c', filter: {a: 3, b: {$gte: 50}}}", "executionStats");
    assertThat(reply.keySet())
        .containsExactly(
            "explainVersion",
            "queryPlanner",
            "executionStats",
            "command",
            "serverInfo",
            "serverParameters",
            "ok");
    assertThat(reply.getString("explainVersion").getValue()).isEqualTo("1");
    BsonDocument planner = reply.getDocument("queryPlanner");
    assertThat(planner.getString("namespace").getValue()).isEqualTo("test.c");
    assertThat(planner.getDocument("parsedQuery"))
        .isEqualTo(BsonDocument.parse("{$and: [{a: {$eq: 3}}, {b: {$gte: 50}}]}"));
    assertThat(planner.getString("queryHash").getValue()).matches("[0-9A-F]{8}");
    BsonDocument scan = planner.getDocument("winningPlan").getDocument("inputStage");
    assertThat(scan.getDocument("indexBounds"))
        .isEqualTo(BsonDocument.parse("{a: ['[3, 3]'], b: ['[50, inf.0]']}"));
    assertThat(reply.getDocument("command"))
        .isEqualTo(BsonDocument.parse("{find: 'c', filter: {a: 3, b: {$gte: 50}}, $db: 'test'}"));
    assertThat(reply.getDocument("serverInfo").keySet())
        .containsExactly("host", "port", "version", "gitVersion");
  }

  @Test
  void whatIsExamined() {
    BsonDocument stats = executionStats("{find: 'c', filter: {a: 3, b: {$gte: 50}}}");
    assertThat(number(stats, "nReturned")).isEqualTo(5);
    assertThat(number(stats, "totalKeysExamined")).isEqualTo(5);
    assertThat(number(stats, "totalDocsExamined")).isEqualTo(5);
    BsonDocument fetch = stats.getDocument("executionStages");
    assertThat(number(fetch, "docsExamined")).isEqualTo(5);
    assertThat(number(fetch, "works")).isEqualTo(6);
    assertThat(number(fetch, "advanced")).isEqualTo(5);
    assertThat(number(fetch, "isEOF")).isEqualTo(1);
    BsonDocument scan = fetch.getDocument("inputStage");
    assertThat(number(scan, "keysExamined")).isEqualTo(5);
    assertThat(number(scan, "seeks")).isEqualTo(1);

    BsonDocument all = executionStats("{find: 'c', filter: {x: 1}}");
    assertThat(number(all, "nReturned")).isZero();
    assertThat(number(all, "totalDocsExamined")).isEqualTo(DOCUMENTS);

    BsonDocument covered =
        executionStats("{find: 'c', filter: {a: 3}, projection: {b: 1, _id: 0}}");
    assertThat(number(covered, "nReturned")).isEqualTo(10);
    assertThat(number(covered, "totalDocsExamined")).isZero();
  }

  @Test
  void severalPlansAreAllTold() {
    SERVER.run("{createIndexes: 'c', indexes: [{key: {b: 1}, name: 'b_1'}]}");
    BsonDocument reply = explain("{find: 'c', filter: {a: 3, b: {$gte: 50}}}", "allPlansExecution");
    var rejected = reply.getDocument("queryPlanner").getArray("rejectedPlans");
    assertThat(rejected).isNotEmpty();
    var trials = reply.getDocument("executionStats").getArray("allPlansExecution");
    assertThat(trials).hasSize(rejected.size() + 1);
    for (BsonValue trial : trials) {
      assertThat(trial.asDocument())
          .containsKeys("nReturned", "totalKeysExamined", "score", "executionStages");
    }
    double best = trials.getFirst().asDocument().getDouble("score").getValue();
    double next = trials.get(1).asDocument().getDouble("score").getValue();
    assertThat(best).isGreaterThanOrEqualTo(next);
  }

  @Test
  void multikeyPaths() {
    SERVER.run("{createIndexes: 'c', indexes: [{key: {t: -1}, name: 't'}]}");
    BsonDocument scan = winningPlan("{find: 'c', filter: {t: 'x'}}").getDocument("inputStage");
    assertThat(scan.getBoolean("isMultiKey").getValue()).isTrue();
    assertThat(scan.getDocument("multiKeyPaths")).isEqualTo(BsonDocument.parse("{t: ['t']}"));
    assertThat(scan.getDocument("keyPattern")).isEqualTo(BsonDocument.parse("{t: -1}"));
    assertThat(scan.getDocument("indexBounds"))
        .isEqualTo(BsonDocument.parse("{t: ['[\"x\", \"x\"]']}"));
  }

  @Test
  void wildcardIndexes() {
    SERVER.run(
        "{createIndexes: 'c', indexes: [{key: {'$**': 1}, name: 'w', wildcardProjection: {t: 1,"
            + " w: 1}}]}");
    BsonDocument plain = winningPlan("{find: 'c', filter: {'w.x': 1}}").getDocument("inputStage");
    assertThat(plain.getDocument("keyPattern"))
        .isEqualTo(BsonDocument.parse("{$_path: 1, 'w.x': 1}"));
    assertThat(plain.getBoolean("isMultiKey").getValue()).isFalse();
    assertThat(plain.getDocument("indexBounds"))
        .isEqualTo(BsonDocument.parse("{$_path: ['[\"w.x\", \"w.x\"]'], 'w.x': ['[1, 1]']}"));
    BsonDocument array = winningPlan("{find: 'c', filter: {t: 'x'}}").getDocument("inputStage");
    assertThat(array.getBoolean("isMultiKey").getValue()).isTrue();
    assertThat(array.getDocument("multiKeyPaths"))
        .isEqualTo(BsonDocument.parse("{$_path: [], t: ['t']}"));
  }

  @Test
  void aFindByIdHasAShapeToo() {
    BsonDocument planner =
        explain("{find: 'c', filter: {_id: 3}}", "queryPlanner").getDocument("queryPlanner");
    assertThat(planner.getDocument("parsedQuery")).isEqualTo(BsonDocument.parse("{_id: {$eq: 3}}"));
    assertThat(planner).containsKeys("queryHash", "planCacheShapeHash", "planCacheKey");
  }

  @Test
  void countsAndDistincts() {
    BsonDocument count = executionStats("{count: 'c', query: {a: 3}, skip: 2, limit: 5}");
    BsonDocument stage = count.getDocument("executionStages");
    assertThat(number(stage, "nCounted")).isEqualTo(5);
    assertThat(number(stage, "nSkipped")).isEqualTo(2);
    assertThat(number(count, "nReturned")).isZero();
    assertThat(number(count, "totalDocsExamined")).isZero();

    BsonDocument everything = executionStats("{count: 'c'}").getDocument("executionStages");
    assertThat(number(everything, "nCounted")).isEqualTo(DOCUMENTS);

    BsonDocument distinct = executionStats("{distinct: 'c', key: 'a'}");
    assertThat(number(distinct, "nReturned")).isEqualTo(10);
    assertThat(number(distinct, "totalKeysExamined")).isLessThan(DOCUMENTS);
  }

  @Test
  void writesChangeNothing() {
    BsonDocument update =
        executionStats("{update: 'c', updates: [{q: {a: 3}, u: {$set: {z: 1}}, multi: true}]}")
            .getDocument("executionStages");
    assertThat(number(update, "nMatched")).isEqualTo(10);
    assertThat(number(update, "nWouldModify")).isEqualTo(10);
    assertThat(number(update, "nWouldUpsert")).isZero();

    BsonDocument upsert =
        executionStats("{update: 'c', updates: [{q: {a: 77}, u: {$set: {z: 1}}, upsert: true}]}")
            .getDocument("executionStages");
    assertThat(number(upsert, "nMatched")).isZero();
    assertThat(number(upsert, "nWouldUpsert")).isEqualTo(1);

    BsonDocument delete =
        executionStats("{delete: 'c', deletes: [{q: {a: 3}, limit: 0}]}")
            .getDocument("executionStages");
    assertThat(number(delete, "nWouldDelete")).isEqualTo(10);
    BsonDocument one =
        executionStats("{findAndModify: 'c', query: {a: 3}, update: {$set: {z: 1}}}")
            .getDocument("executionStages");
    assertThat(number(one, "nWouldModify")).isEqualTo(1);

    assertThat(number(SERVER.run("{count: 'c'}"), "n")).isEqualTo(DOCUMENTS);
    assertThat(number(SERVER.run("{count: 'c', query: {z: 1}}"), "n")).isZero();
  }

  @Test
  void oneOperationOfABulkWrite() {
    String namespaces = "], nsInfo: [{ns: 'test.c'}]}";
    BsonDocument update =
        SERVER.admin(
            "{explain: {bulkWrite: 1, ops: [{update: 0, filter: {a: 3}, updateMods: {$inc: {b: 1}},"
                + " multi: true}"
                + namespaces
                + "}");
    assertThat(stages(update.getDocument("queryPlanner").getDocument("winningPlan")))
        .isEqualTo("UPDATE FETCH IXSCAN");
    BsonDocument delete =
        SERVER.admin(
            "{explain: {bulkWrite: 1, ops: [{delete: 0, filter: {_id: 3}}" + namespaces + "}");
    assertThat(stages(delete.getDocument("queryPlanner").getDocument("winningPlan")))
        .isEqualTo("EXPRESS_DELETE");
    assertError(
        SERVER.fail(
            "admin", "{explain: {bulkWrite: 1, ops: [{insert: 0, document: {}}" + namespaces + "}"),
        20,
        "Cannot explain insert cmd for bulkWrite");
    assertError(
        SERVER.fail(
            "admin",
            "{explain: {bulkWrite: 1, ops: [{delete: 0, filter: {}}, {delete: 0, filter: {}}"
                + namespaces
                + "}"),
        16,
        "explained bulkWrite ops must be of size 1");
  }

  @Test
  void boundsThatPlannersReachAreTold() {
    String many =
        IntStream.range(0, 300).mapToObj(Integer::toString).collect(Collectors.joining(","));
    SERVER.run("{createIndexes: 'c', indexes: [{key: {a: 1, z: 1}, name: 'az'}]}");
    try {
      BsonDocument planner =
          explain("{find: 'c', filter: {a: {$in: [" + many + "]}}, sort: {z: 1}}", "queryPlanner")
              .getDocument("queryPlanner");
      assertThat(planner.getBoolean("maxScansToExplodeReached").getValue()).isTrue();
      assertThat(planner.getBoolean("maxIndexedOrSolutionsReached").getValue()).isFalse();
      assertThat(number(planner, "optimizationTimeMillis")).isNotNegative();
    } finally {
      SERVER.run("{dropIndexes: 'c', index: 'az'}");
    }
  }

  @Test
  void withoutVerbosityEverythingIsTold() {
    BsonDocument reply = SERVER.run("{explain: {find: 'c'}}");
    assertThat(reply.getDocument("executionStats")).containsKey("allPlansExecution");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {explain: 1} | 14 | BSON field 'explain.explain' is the wrong type 'int', expected type 'object'
          {explain: {find: 'c'}, verbosity: 'all'} | 2 | Enumeration value 'all' for field 'explain.verbosity' is not a valid value.
          {explain: {find: 'c'}, verbosity: 1} | 14 | BSON field 'explain.verbosity' is the wrong type 'int', expected type 'string'
          {explain: {find: 'c'}, more: 1} | 40415 | BSON field 'explain.more' is an unknown field.
          {explain: {find: 'c', $db: 'other'}} | 73 | Mismatched $db in explain command. Expected test but got other
          {explain: {nothing: 'c'}} | 59 | Explain failed due to unknown command: nothing
          {explain: {insert: 'c', documents: [{}]}} | 20 | Cannot explain cmd: insert
          {explain: {ping: 1}} | 20 | Cannot explain cmd: ping
          {explain: {explain: {find: 'c'}}} | 20 | Cannot explain cmd: explain
          {explain: {find: 'c', more: 1}} | 40415 | BSON field 'FindCommandRequest.more' is an unknown field.
          {explain: {find: 'c', filter: {$x: 1}}} | 2 | unknown top level operator: $x. If you have a field name that starts with a '$' symbol, consider using $getField or $setField.
          {explain: {delete: 'c', deletes: [{q: {}, limit: 1}, {q: {}, limit: 1}]}} | 16 | explained write batches must be of size 1
          """)
  void errors(String command, int code, String message) {
    assertError(SERVER.fail(command), code, message);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"{find: 'c', $db: 'test'}", "{find: 'c', maxTimeMS: 60000, comment: 'x'}"})
  void argumentsOfEveryCommand(String command) {
    assertThat(stages(winningPlan(command))).isEqualTo("COLLSCAN");
  }
}
