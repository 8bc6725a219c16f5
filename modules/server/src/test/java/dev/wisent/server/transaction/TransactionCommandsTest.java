package dev.wisent.server.transaction;

import static dev.wisent.server.harness.Replies.assertCode;
import static dev.wisent.server.harness.Replies.assertError;
import static dev.wisent.server.harness.Replies.assertOk;
import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.replication.MemberState;
import dev.wisent.server.harness.FakeReplicaSet;
import dev.wisent.server.harness.FakeTransactions;
import dev.wisent.server.harness.MemberServer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonValue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands in transactions, apart from what the store does. */
class TransactionCommandsTest {
  private static final String INSERT = "insert: 'c', documents: [{}]";
  private static final String START = ", startTransaction: true";

  @TempDir Path directory;

  private final FakeReplicaSet set = new FakeReplicaSet(1);
  private final FakeTransactions transactions = new FakeTransactions();
  private final List<String> log = new ArrayList<>();
  private MemberServer server;

  @BeforeEach
  void start() {
    server = new MemberServer(directory, set, transactions, log::add);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private static String lsid(int session) {
    return "{id: {$binary: {base64: 'AAAAAAAAAAAAAAAAAAAA%s==', subType: '04'}}}"
        .formatted(session == 1 ? "AA" : "AQ");
  }

  private BsonDocument in(int number, String command) {
    return server.run(
        "{%s, lsid: %s, txnNumber: {$numberLong: '%d'}, autocommit: false}"
            .formatted(command, lsid(1), number));
  }

  private BsonDocument end(int number, String command) {
    return in(number, command + ", $db: 'admin'");
  }

  private static List<String> labels(BsonDocument reply) {
    return reply.containsKey("errorLabels")
        ? reply.getArray("errorLabels").stream().map(label -> label.asString().getValue()).toList()
        : List.of();
  }

  @Test
  void statementsAndTheCommit() {
    assertOk(in(1, INSERT + START));
    assertOk(in(1, "find: 'c'"));
    assertOk(end(1, "commitTransaction: 1, recoveryToken: {}"));
    assertOk(end(1, "commitTransaction: 1, writeConcern: {w: 'majority', wtimeout: 10000}"));
    assertThat(transactions.committed()).hasSize(1);
    assertThat(transactions.statements())
        .extracting(statement -> statement.starts())
        .containsExactly(true, false);
  }

  @Test
  void abort() {
    assertOk(in(1, INSERT + START));
    assertOk(end(1, "abortTransaction: 1"));
    BsonDocument again = end(1, "abortTransaction: 1");
    assertCode(again, 251);
    assertThat(labels(again)).containsExactly("TransientTransactionError");
  }

  @Test
  void endsNeedATransaction() {
    assertError(
        server.run("{commitTransaction: 1, $db: 'admin'}"),
        125,
        "commitTransaction must be run within a transaction");
    assertError(
        server.run("{abortTransaction: 1, $db: 'admin'}"),
        125,
        "abortTransaction must be run within a transaction");
    assertCode(in(1, "commitTransaction: 1"), 13);
    assertError(
        end(1, "commitTransaction: 1, commitTimestamp: {$timestamp: {t: 1, i: 1}}"),
        72,
        "commitTransaction provided commitTimestamp to unprepared transaction.");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "commitTransaction: 1, $db: 'admin' | Cannot start a transaction with a commit",
        "abortTransaction: 1, $db: 'admin' | Cannot start a transaction with an abort",
        "killCursors: 'c', cursors: [{$numberLong: '1'}] |"
            + " Cannot run killCursors as the first operation in a multi-document transaction.",
        "find: 'c', $db: 'local' |"
            + " Cannot run command against the 'local' database in a transaction.",
        "find: 'c', $db: 'config' |"
            + " Cannot run command against the config database in a transaction.",
        "find: 'system.profile' | Cannot run command against the 'test.system.profile' collection"
            + " in a transaction.",
        "bulkWrite: 1, ops: [{insert: 0, document: {}}], nsInfo: [{ns: 'config.c'}], $db: 'admin' |"
            + " Cannot run command against the config database in a transaction.",
        "drop: 'c' | Cannot run 'drop' in a multi-document transaction.",
        "create: 'v', viewOn: 'c', pipeline: [] |"
            + " Cannot create a view in a multi-document transaction.",
        "explain: {find: 'c'} | Cannot run 'explain' in a multi-document transaction.",
        "find: 'c', tailable: true | Tailable cursors are not supported in a transaction",
        "aggregate: 'c', cursor: {}, pipeline: [{$out: 'd'}] |"
            + " Stage not supported inside of a multi-document transaction: $out",
        "aggregate: 'c', cursor: {}, pipeline: [{$facet: {a: [{$unionWith: 'd'}]}}] |"
            + " Stage not supported inside of a multi-document transaction: $unionWith",
        "aggregate: 'c', cursor: {}, pipeline: [{$lookup: {from: 'd', as: 'd', pipeline:"
            + " [{$indexStats: {}}]}}] | Operation not permitted in transaction :: caused by ::"
            + " Aggregation stage $indexStats cannot run within a multi-document transaction.",
        "aggregate: 'c', explain: true, pipeline: [] | Operation not permitted in transaction ::"
            + " caused by :: Explain for the aggregate command cannot run within a multi-document"
            + " transaction",
      })
  void whatIsNotAllowed(String command, String message) {
    assertError(in(1, command + START), 263, message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "autocommit: true | Specifying autocommit=true is not allowed.",
        "autocommit: false, startTransaction: false |"
            + " Specifying startTransaction=false is not allowed.",
        "startTransaction: true |"
            + " 'startTransaction' field requires 'autocommit' field to also be specified",
        "autocommit: false, startTransaction: true, writeConcern: {w: 1} |"
            + " writeConcern is not allowed within a multi-statement transaction",
        "autocommit: false, startTransaction: true, readConcern: {level: 'linearizable'} |"
            + " The readConcern level must be either 'local' (default), 'majority' or 'snapshot' in"
            + " order to run in a transaction",
        "autocommit: false, startTransaction: true, readConcern: {afterOpTime: {ts: {$timestamp:"
            + " {t: 1, i: 1}}, t: {$numberLong: '1'}}} |"
            + " The readConcern cannot specify 'afterOpTime' in a transaction",
        "autocommit: false, readConcern: {level: 'local'} |"
            + " Only the first command in a transaction may specify a readConcern",
      })
  void arguments(String arguments, String message) {
    assertError(
        server.run(
            "{%s, lsid: %s, txnNumber: {$numberLong: '1'}, %s}"
                .formatted(INSERT, lsid(1), arguments)),
        72,
        message);
  }

  @Test
  void internalSessionsAreRefused() {
    String internal =
        lsid(1).replace("}}}", "}}, txnUUID: {$binary: {base64: '', subType: '04'}}}");
    assertError(
        server.run(
            "{%s, lsid: %s, txnNumber: {$numberLong: '1'}, autocommit: false, startTransaction:"
                    .formatted(INSERT, internal)
                + " true}"),
        72,
        "Internal sessions are only allowed for internal clients");
  }

  @ParameterizedTest
  @ValueSource(strings = {"local", "majority", "snapshot"})
  void readConcernsOfTheFirstStatement(String level) {
    assertOk(in(1, INSERT + START + ", readConcern: {level: '" + level + "'}"));
    assertThat(transactions.statements().getFirst().readConcern().toBsonDocument())
        .isEqualTo(BsonDocument.parse("{level: '" + level + "'}"));
    assertThat(transactions.statements().getFirst().readTime()).isZero();
  }

  @Test
  void definitionsNeedAReadConcernThatTheyCanHave() {
    assertOk(in(1, INSERT + START + ", readConcern: {level: 'snapshot'}"));
    assertError(
        in(1, "create: 'd'"),
        72,
        "Command create does not support this transaction's { readConcern: { level: \"snapshot\" }"
            + " } :: caused by :: read concern not supported");
  }

  @Test
  void theTimeToReadAt() {
    assertOk(server.run("{insert: 'c', documents: [{}]}"));
    long now = set.lastApplied().timestamp();
    String at =
        "readConcern: {level: 'snapshot', atClusterTime: {$timestamp: {t: %d, i: %d}}}"
            .formatted(now >>> 32, now & 0xFFFF_FFFFL);
    assertOk(in(1, "find: 'c', " + at + START));
    assertThat(transactions.statements().getFirst().readTime()).isEqualTo(now);
    assertOk(in(2, "find: 'c', " + at.replace("at", "after").replace("snapshot", "local") + START));
    assertThat(transactions.statements().getLast().readTime()).isZero();
  }

  @Test
  void labelsOfErrorsOfStatements() {
    for (ErrorCode code :
        List.of(
            ErrorCode.WRITE_CONFLICT,
            ErrorCode.NO_SUCH_TRANSACTION,
            ErrorCode.LOCK_TIMEOUT,
            ErrorCode.SNAPSHOT_UNAVAILABLE,
            ErrorCode.SNAPSHOT_TOO_OLD,
            ErrorCode.NOT_WRITABLE_PRIMARY,
            ErrorCode.INTERRUPTED_DUE_TO_REPL_STATE_CHANGE)) {
      transactions.failNext(new CommandException(code, "x"));
      BsonDocument reply = in(1, INSERT + START);
      assertCode(reply, code.code());
      assertThat(labels(reply)).as(code.toString()).containsExactly("TransientTransactionError");
    }
    transactions.failNext(new CommandException(ErrorCode.BAD_VALUE, "x"));
    assertThat(labels(in(1, INSERT + START))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "WRITE_CONFLICT, TransientTransactionError",
    "NO_SUCH_TRANSACTION, TransientTransactionError",
    "NOT_WRITABLE_PRIMARY, RetryableWriteError",
    "INTERRUPTED_DUE_TO_REPL_STATE_CHANGE, RetryableWriteError",
  })
  void labelsOfErrorsOfTheEnd(ErrorCode code, String label) {
    for (String end : List.of("commitTransaction", "abortTransaction")) {
      assertOk(in(1, INSERT + START));
      transactions.failNext(new CommandException(code, "x"));
      BsonDocument reply = end(1, end + ": 1");
      assertCode(reply, code.code());
      assertThat(labels(reply)).containsExactly(label);
    }
  }

  @Test
  void labelsThatFailPointsCause() {
    server.run(
        "{configureFailPoint: 'failCommand', mode: {times: 2}, data: {failCommands: ['find',"
            + " 'commitTransaction'], errorCode: 91}, $db: 'admin'}");
    assertThat(labels(in(1, "find: 'c'" + START))).containsExactly("TransientTransactionError");
    assertThat(labels(end(1, "commitTransaction: 1"))).containsExactly("RetryableWriteError");
    server.run(
        "{configureFailPoint: 'failCommand', mode: {times: 1}, data: {failCommands:"
            + " ['commitTransaction'], writeConcernError: {code: 91, errmsg: 'x'}}, $db: 'admin'}");
    assertOk(in(2, "find: 'c'" + START));
    assertThat(labels(end(2, "commitTransaction: 1"))).containsExactly("RetryableWriteError");
  }

  /** A member that leads no more cannot know what another one has committed. */
  @Test
  void anUnknownTransactionIsConfirmed() {
    assertCode(end(1, "commitTransaction: 1"), 251);
    assertThat(set.confirmations()).isEqualTo(1);
    set.confirmable(false);
    BsonDocument reply = end(1, "commitTransaction: 1");
    assertCode(reply, 10107);
    assertThat(labels(reply)).containsExactly("RetryableWriteError");
  }

  @Test
  void onlyThePrimaryRunsTransactions() {
    set.state(MemberState.SECONDARY);
    BsonDocument reply = in(1, "find: 'c', $readPreference: {mode: 'secondaryPreferred'}" + START);
    assertError(reply, 10107, "not primary");
    assertThat(labels(reply)).containsExactly("TransientTransactionError");
    BsonDocument commit = end(1, "commitTransaction: 1");
    assertError(commit, 10107, "not primary");
    assertThat(labels(commit)).containsExactly("RetryableWriteError");
  }

  @Test
  void writeErrorsEndTheTransaction() {
    String twice = "documents: [{_id: 1}, {_id: 1}, {_id: 2}]";
    for (String insert :
        List.of(
            "insert: 'c', ordered: false, " + twice,
            "bulkWrite: 1, ordered: false, nsInfo: [{ns: 'test.c'}], $db: 'admin', ops: [{insert:"
                + " 0, document: {_id: 3}}, {insert: 0, document: {_id: 3}}, {insert: 0, document:"
                + " {_id: 4}}]")) {
      BsonDocument reply = in(1, insert + START);
      assertOk(reply);
      assertThat(reply.toJson()).contains("11000");
      assertThat(labels(reply)).isEmpty();
    }
    assertThat(transactions.aborted()).hasSize(2);
    assertThat(server.run("{count: 'c'}").getInt32("n").getValue()).isEqualTo(2);
  }

  @Test
  void statementsHaveNoOpTime() {
    assertOk(in(1, "find: 'c'" + START));
    assertThat(in(1, "update: 'c', updates: [{q: {}, u: {$set: {a: 1}}, multi: true}]"))
        .doesNotContainKey("writeConcernError");
  }

  @Test
  void theApiParametersStayTheSame() {
    assertOk(in(1, INSERT + START + ", apiVersion: '1'"));
    assertError(
        in(1, "find: 'c', apiVersion: '1', apiStrict: true"),
        347,
        "API parameter mismatch: find used params { apiVersion: \"1\", apiStrict: true }, the"
            + " transaction's first command used { apiVersion: \"1\" }");
    assertCode(end(1, "commitTransaction: 1"), 347);
    assertOk(end(1, "commitTransaction: 1, apiVersion: '1'"));
  }

  private static long cursorId(BsonDocument reply) {
    assertOk(reply);
    return reply.getDocument("cursor").getInt64("id").getValue();
  }

  @Test
  void cursorsBelongToTheirTransaction() {
    server.run("{insert: 'c', documents: [{}, {}, {}]}");
    long id = cursorId(in(1, "find: 'c', batchSize: 1" + START));
    String more = "getMore: {$numberLong: '%d'}, collection: 'c', batchSize: 1".formatted(id);
    assertError(
        server.run("{%s, lsid: %s}".formatted(more, lsid(1))),
        50740,
        "Cannot run getMore on cursor %d, which was created in transaction 1, without a txnNumber"
            .formatted(id));
    assertCode(server.run("{%s, lsid: %s}".formatted(more, lsid(2))), 50738);
    assertThat(cursorId(in(1, more))).isEqualTo(id);
    assertThat(status("metrics").getDocument("cursor").getDocument("open").getInt64("noTimeout"))
        .isEqualTo(new BsonInt64(1));
    assertOk(end(1, "commitTransaction: 1"));
    assertCode(server.run("{%s, lsid: %s}".formatted(more, lsid(1))), 43);
  }

  @Test
  void cursorsOfOthersAreRefusedInATransaction() {
    server.run("{insert: 'c', documents: [{}, {}, {}]}");
    long plain = cursorId(server.run("{find: 'c', batchSize: 1, lsid: " + lsid(1) + "}"));
    assertOk(in(1, "find: 'c'" + START));
    assertError(
        in(1, "getMore: {$numberLong: '%d'}, collection: 'c'".formatted(plain)),
        50739,
        "Cannot run getMore on cursor %d, which was not created in a transaction, in transaction 1"
            .formatted(plain));
    long first = cursorId(in(2, "find: 'c', batchSize: 1" + START));
    assertOk(in(3, "find: 'c'" + START));
    assertError(
        in(3, "getMore: {$numberLong: '%d'}, collection: 'c'".formatted(first)),
        50741,
        "Cannot run getMore on cursor %d, which was created in transaction 2, in transaction 3"
            .formatted(first));
  }

  @Test
  void theEndOfASessionEndsItsTransaction() {
    for (String end :
        List.of(
            "endSessions: [" + lsid(1) + "]",
            "killSessions: [" + lsid(1) + "]",
            "killSessions: []",
            "killAllSessions: []",
            "killAllSessionsByPattern: [{lsid: " + lsid(1) + "}]")) {
      int before = transactions.aborted().size();
      assertOk(in(1, "find: 'c'" + START));
      assertOk(server.run("{" + end + ", $db: 'admin'}"));
      assertThat(transactions.aborted()).as(end).hasSize(before + 1);
    }
    assertOk(in(1, "find: 'c'" + START));
    assertOk(server.run("{endSessions: [" + lsid(2) + "], $db: 'admin'}"));
    assertThat(transactions.open()).hasSize(1);
  }

  private BsonDocument status(String section) {
    return server.run("{serverStatus: 1, $db: 'admin'}").getDocument(section);
  }

  @Test
  void serverStatus() {
    assertOk(in(1, "find: 'c'" + START));
    assertOk(end(1, "commitTransaction: 1"));
    assertOk(in(2, "find: 'c'" + START));
    BsonDocument status = status("transactions");
    assertThat(status)
        .containsAllEntriesOf(
            BsonDocument.parse(
                "{currentActive: {$numberLong: '0'}, currentInactive: {$numberLong: '1'},"
                    + " currentOpen: {$numberLong: '1'}, totalAborted: {$numberLong: '0'},"
                    + " totalCommitted: {$numberLong: '1'}, totalStarted: {$numberLong: '2'},"
                    + " totalPrepared: {$numberLong: '0'}, currentLatches: {$numberLong: '3'},"
                    + " currentSnapshots: {$numberLong: '4'},"
                    + " currentBufferedBytes: {$numberLong: '5'}}"));
  }

  private static final String SHOWN =
      "{parameters: {txnNumber: {$numberLong: '1'}, txnRetryCounter: 0, autocommit: false,"
          + " readConcern: {level: 'snapshot'}}, readTimestamp: {$timestamp: {t: 17, i: 0}},"
          + " startWallClockTime: '1970-01-01T00:00:01Z', timeOpenMicros: {$numberLong: '7000'},"
          + " timeActiveMicros: {$numberLong: '2000'}, timeInactiveMicros: {$numberLong: '5000'},"
          + " expiryTime: '1970-01-01T00:01:01Z'}";

  @Test
  void currentOpShowsIdleTransactions() {
    assertOk(in(1, "find: 'c', readConcern: {level: 'snapshot'}" + START));
    List<BsonValue> running =
        server.run("{currentOp: 1, type: 'idleSession', $db: 'admin'}").getArray("inprog");
    assertThat(running).hasSize(1);
    BsonDocument idle = running.getFirst().asDocument();
    assertThat(idle.getDocument("transaction")).isEqualTo(BsonDocument.parse(SHOWN));
    assertThat(idle.getString("desc").getValue()).isEqualTo("inactive transaction");
    assertThat(idle.getString("client").getValue()).isEqualTo("127.0.0.1:1");
    assertThat(idle.getDocument("lsid")).containsKey("uid");
    assertThat(idle.getBoolean("active").getValue()).isFalse();
    assertThat(idleSessions("true")).hasSize(1);
    assertThat(idleSessions("false")).isEmpty();
  }

  @Test
  void currentOpShowsTheTransactionOfAStatement() {
    var running = new ArrayList<BsonValue>();
    transactions.duringNext(
        () ->
            running.addAll(
                server
                    .run("{currentOp: 1, 'command.find': 'c', $db: 'admin'}")
                    .getArray("inprog")));
    assertOk(in(1, "find: 'c', readConcern: {level: 'snapshot'}" + START));
    assertThat(running).hasSize(1);
    assertThat(running.getFirst().asDocument().getDocument("transaction"))
        .isEqualTo(BsonDocument.parse(SHOWN));
    assertThat(running.getFirst().asDocument().getString("type").getValue()).isEqualTo("op");
  }

  private List<BsonValue> idleSessions(String wanted) {
    return server
        .run(
            "{aggregate: 1, cursor: {}, pipeline: [{$currentOp: {idleSessions: %s}}, {$match: {type:"
                    .formatted(wanted)
                + " 'idleSession'}}], $db: 'admin'}")
        .getDocument("cursor")
        .getArray("firstBatch");
  }

  @Test
  void parameters() {
    String names = "transactionLifetimeLimitSeconds: 1, maxTransactionLockRequestTimeoutMillis: 1";
    BsonDocument before = server.run("{getParameter: 1, " + names + ", $db: 'admin'}");
    assertThat(before)
        .containsAllEntriesOf(
            BsonDocument.parse(
                "{transactionLifetimeLimitSeconds: 60,"
                    + " maxTransactionLockRequestTimeoutMillis: 5}"));
    assertOk(
        server.run(
            "{setParameter: 1, transactionLifetimeLimitSeconds: 7,"
                + " maxTransactionLockRequestTimeoutMillis: -1, $db: 'admin'}"));
    assertThat(transactions.limits().lifetimeSeconds()).isEqualTo(7);
    assertThat(transactions.limits().lockWaitMillis()).isEqualTo(-1);
    assertCode(
        server.run("{setParameter: 1, transactionLifetimeLimitSeconds: 0, $db: 'admin'}"), 2);
  }

  private List<String> logged(int id) {
    return log.stream().filter(line -> line.contains("\"id\":" + id + ",")).toList();
  }

  @Test
  void slowTransactionsAreLogged() {
    assertOk(in(1, "find: 'c'" + START));
    assertOk(end(1, "commitTransaction: 1"));
    assertThat(logged(51802)).isEmpty();
    transactions.openMicros(2_000_000);
    assertOk(in(2, "find: 'c', readConcern: {level: 'snapshot'}" + START));
    assertOk(end(2, "commitTransaction: 1"));
    assertThat(logged(51802)).hasSize(1);
    assertThat(logged(51802).getFirst())
        .contains("\"c\":\"TXN\"")
        .contains("\"terminationCause\":\"committed\"")
        .contains("\"durationMillis\":2000")
        .contains("\"timeInactiveMicros\":1998000")
        .contains("Timestamp(17, 0)");
    assertOk(in(3, "find: 'c'" + START));
    transactions.abortExpired();
    assertThat(logged(20707)).hasSize(1);
    assertThat(logged(51802).getLast()).contains("\"terminationCause\":\"aborted\"");
  }
}
