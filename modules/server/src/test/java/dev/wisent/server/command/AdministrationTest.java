package dev.wisent.server.command;

import static dev.wisent.server.harness.Replies.assertCode;
import static dev.wisent.server.harness.Replies.assertError;
import static dev.wisent.server.harness.Replies.assertOk;
import static dev.wisent.server.harness.Replies.number;
import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.server.harness.EmbeddedServer;
import dev.wisent.server.harness.Eventually;
import dev.wisent.server.harness.RawClient;
import java.util.concurrent.CompletableFuture;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands about the server itself: parameters, log, status, locks. */
class AdministrationTest {
  @RegisterExtension static final EmbeddedServer SERVER = new EmbeddedServer();

  @Test
  void buildInfo() {
    BsonDocument info = SERVER.admin("{buildInfo: 1}");
    assertThat(info.getString("version").getValue()).startsWith("8.0.");
    assertThat(info.getArray("versionArray").size()).isEqualTo(4);
    assertThat(info.getInt32("maxBsonObjectSize").getValue()).isEqualTo(16_777_216);
    assertThat(info.getInt32("bits").getValue()).isEqualTo(64);
    assertThat(info.getDocument("wisent")).containsKey("version");
    assertThat(info)
        .containsKeys(
            "gitVersion",
            "modules",
            "buildEnvironment",
            "javascriptEngine",
            "storageEngines",
            "debug",
            "openssl",
            "allocator")
        .doesNotContainKeys("dataLake", "ferretdb");
  }

  @Test
  void simpleReplies() {
    assertThat(SERVER.run("{whatsmyuri: 1}").getString("you").getValue()).startsWith("127.0.0.1:");
    assertThat(
            SERVER
                .run("{connectionStatus: 1, showPrivileges: true}")
                .getDocument("authInfo")
                .keySet())
        .containsExactlyInAnyOrder(
            "authenticatedUsers", "authenticatedUserRoles", "authenticatedUserPrivileges");
    assertOk(SERVER.run("{features: 1}"));
    BsonDocument host = SERVER.run("{hostInfo: 1}");
    assertThat(host.getDocument("system"))
        .containsKeys("currentTime", "hostname", "memSizeMB", "numCores", "cpuArch");
    assertThat(host).containsKeys("os", "extra");
    BsonDocument options = SERVER.admin("{getCmdLineOpts: 1}");
    assertThat(options.getArray("argv")).contains(new BsonString("wisent"));
    assertThat(options.getDocument("parsed").getDocument("setParameter"))
        .containsKey("enableTestCommands");
  }

  @Test
  void getLastErrorForOldClients() {
    BsonDocument reply = SERVER.run("{getLastError: 1, w: 1}");
    assertThat(reply.isNull("err")).isTrue();
    assertThat(reply.getInt32("n").getValue()).isZero();
    assertOk(SERVER.run("{getlasterror: 1}"));
  }

  @Test
  void parameters() {
    BsonDocument version = SERVER.admin("{getParameter: 1, featureCompatibilityVersion: 1}");
    assertThat(version.getDocument("featureCompatibilityVersion").getString("version").getValue())
        .isEqualTo("8.0");
    assertThat(
            SERVER
                .admin("{getParameter: 1, authSchemaVersion: 1}")
                .getInt32("authSchemaVersion")
                .getValue())
        .isEqualTo(5);
    assertThat(SERVER.admin("{getParameter: '*'}"))
        .containsKeys("slowms", "enableTestCommands", "featureCompatibilityVersion");
    BsonDocument detailed = SERVER.admin("{getParameter: {showDetails: true}, slowms: 1}");
    assertThat(detailed.getDocument("slowms").keySet())
        .containsExactlyInAnyOrder("value", "settableAtRuntime", "settableAtStartup");
    assertThat(SERVER.admin("{getParameter: {allParameters: true, showDetails: true}}").size())
        .isGreaterThan(5);
    assertError(SERVER.fail("admin", "{getParameter: 'foo'}"), 72, "no option found to get");
    assertError(SERVER.fail("admin", "{getParameter: 1, nosuch: 1}"), 72, "no option found to get");
  }

  @Test
  void setParameter() {
    BsonDocument reply = SERVER.admin("{setParameter: 1, slowms: 250}");
    assertThat(number(reply, "was")).isEqualTo(100);
    assertThat(number(SERVER.admin("{getParameter: 1, slowms: 1}"), "slowms")).isEqualTo(250);
    SERVER.admin("{setParameter: 1, slowms: 100}");
    assertError(
        SERVER.fail("admin", "{setParameter: 1, nosuch: 1}"),
        72,
        "attempted to set unrecognized parameter [nosuch], use help:true to see options ");
    assertError(
        SERVER.fail("admin", "{setParameter: 1, enableTestCommands: 0}"),
        20,
        "not allowed to change [enableTestCommands] at runtime");
    assertError(
        SERVER.fail("admin", "{setParameter: 1}"),
        72,
        "no option found to set, use help:true to see options ");
    assertCode(SERVER.fail("admin", "{setParameter: 1, slowms: 'x'}"), 2);
  }

  @Test
  void log() {
    assertThat(SERVER.admin("{getLog: '*'}").getArray("names"))
        .contains(new BsonString("global"), new BsonString("startupWarnings"));
    BsonDocument global = SERVER.admin("{getLog: 'global'}");
    assertThat(number(global, "totalLinesWritten")).isPositive();
    BsonDocument line = BsonDocument.parse(global.getArray("log").get(0).asString().getValue());
    assertThat(line.keySet()).contains("t", "s", "c", "id", "ctx", "msg");
    assertThat(SERVER.admin("{getLog: 'startupWarnings'}"))
        .containsKeys("totalLinesWritten", "log");
    assertError(SERVER.fail("admin", "{getLog: 'nosuch'}"), 96, "No log named 'nosuch'");
    assertError(
        SERVER.fail("admin", "{getLog: 1}"),
        14,
        "BSON field 'getLog.getLog' is the wrong type 'int', expected type 'string'");
    assertOk(SERVER.admin("{logRotate: 1}"));
  }

  @Test
  void serverStatusShape() {
    BsonDocument status = SERVER.admin("{serverStatus: 1}");
    assertThat(status)
        .containsKeys(
            "host",
            "version",
            "process",
            "pid",
            "uptime",
            "uptimeMillis",
            "localTime",
            "asserts",
            "connections",
            "extra_info",
            "globalLock",
            "locks",
            "network",
            "opcounters",
            "mem",
            "storageEngine",
            "transactions",
            "metrics");
    assertThat(status.getDocument("connections"))
        .containsKeys("current", "available", "totalCreated");
    assertThat(status.getDocument("opcounters").keySet())
        .containsExactlyInAnyOrder("insert", "query", "update", "delete", "getmore", "command");
    assertThat(number(status, "mem.bits")).isEqualTo(64);
    assertThat(number(status, "network.bytesIn")).isPositive();
    assertThat(SERVER.admin("{serverStatus: 1, metrics: 0, locks: 0}"))
        .doesNotContainKeys("metrics", "locks");
  }

  @Test
  void countersMove() {
    SERVER.fresh("counted");
    BsonDocument before = SERVER.admin("{serverStatus: 1}");
    SERVER.run("{insert: 'counted', documents: [{_id: 1}, {_id: 2}, {_id: 3}]}");
    SERVER.run("{find: 'counted', batchSize: 2}");
    SERVER.run(
        "{update: 'counted', updates: [{q: {_id: 1}, u: {$set: {a: 1}}},"
            + " {q: {_id: 9}, u: {$set: {a: 1}}, upsert: true}]}");
    SERVER.run("{findAndModify: 'counted', query: {_id: 2}, update: {$set: {b: 1}}}");
    SERVER.run("{delete: 'counted', deletes: [{q: {_id: 3}, limit: 1}]}");
    SERVER.fail("{find: 'counted', filter: {$nosuch: 1}}");
    BsonDocument after = SERVER.admin("{serverStatus: 1}");
    assertMoved(before, after, "opcounters.insert", 3);
    assertMoved(before, after, "opcounters.query", 2);
    assertMoved(before, after, "opcounters.update", 2);
    assertMoved(before, after, "opcounters.delete", 1);
    assertMoved(before, after, "metrics.document.inserted", 4);
    assertMoved(before, after, "metrics.document.updated", 2);
    assertMoved(before, after, "metrics.document.deleted", 1);
    assertMoved(before, after, "metrics.document.returned", 3);
    assertMoved(before, after, "asserts.user", 1);
    assertThat(number(after, "metrics.commands.find.failed")).isPositive();
    assertThat(number(after, "metrics.commands.insert.total")).isPositive();
    assertThat(number(after, "network.numRequests"))
        .isGreaterThan(number(before, "network.numRequests"));
  }

  private static void assertMoved(BsonDocument before, BsonDocument after, String path, long by) {
    assertThat(number(after, path) - number(before, path)).as(path).isEqualTo(by);
  }

  @Test
  void bulkWriteCountsItsKinds() {
    SERVER.fresh("bulk");
    BsonDocument before = SERVER.admin("{serverStatus: 1}");
    SERVER.admin(
        "{bulkWrite: 1, nsInfo: [{ns: 'test.bulk'}], ops: [{insert: 0, document: {_id: 1}},"
            + " {update: 0, filter: {_id: 1}, updateMods: {$set: {a: 1}}},"
            + " {delete: 0, filter: {_id: 1}}]}");
    BsonDocument after = SERVER.admin("{serverStatus: 1}");
    assertMoved(before, after, "metrics.document.inserted", 1);
    assertMoved(before, after, "metrics.document.updated", 1);
    assertMoved(before, after, "metrics.document.deleted", 1);
    assertMoved(before, after, "opcounters.insert", 1);
    assertMoved(before, after, "opcounters.update", 1);
    assertMoved(before, after, "opcounters.delete", 1);
  }

  @Test
  void top() {
    SERVER.fresh("topped");
    SERVER.run("{insert: 'topped', documents: [{}]}");
    SERVER.run("{find: 'topped'}");
    BsonDocument totals = SERVER.admin("{top: 1}").getDocument("totals");
    BsonDocument counted = totals.getDocument("test.topped");
    assertThat(counted.keySet())
        .containsExactlyInAnyOrder(
            "total",
            "readLock",
            "writeLock",
            "queries",
            "getmore",
            "insert",
            "update",
            "remove",
            "commands");
    assertThat(number(counted, "insert.count")).isEqualTo(1);
    assertThat(number(counted, "queries.count")).isEqualTo(1);
    assertThat(number(counted, "insert.time")).isPositive();
  }

  @Test
  void cursorTimeout() {
    BsonDocument before = SERVER.admin("{setParameter: 1, cursorTimeoutMillis: 1234}");
    assertThat(number(before, "was")).isEqualTo(600_000);
    assertThat(
            number(
                SERVER.admin("{getParameter: 1, cursorTimeoutMillis: 1}"), "cursorTimeoutMillis"))
        .isEqualTo(1234);
    assertCode(SERVER.fail("admin", "{setParameter: 1, cursorTimeoutMillis: 0}"), 2);
    SERVER.admin("{setParameter: 1, cursorTimeoutMillis: 600000}");
  }

  @Test
  void fsyncWithoutALock() {
    assertThat(number(SERVER.admin("{fsync: 1}"), "numFiles")).isEqualTo(1);
    assertError(SERVER.fail("admin", "{fsyncUnlock: 1}"), 20, "fsyncUnlock called when not locked");
  }

  @Test
  void fsyncLockKeepsWritesOut() {
    assertThat(number(SERVER.admin("{fsync: 1, lock: true}"), "lockCount")).isEqualTo(1);
    assertThat(number(SERVER.admin("{fsync: 1, lock: true}"), "lockCount")).isEqualTo(2);
    CompletableFuture<BsonDocument> write =
        CompletableFuture.supplyAsync(
            () -> {
              try (RawClient client = SERVER.connect()) {
                return client.run("{insert: 'locked', documents: [{}], comment: 'w', $db: 'test'}");
              }
            });
    Eventually.await(
        "the write waits",
        () ->
            SERVER
                    .admin("{currentOp: 1, 'command.comment': 'w', waitingForLock: true}")
                    .getArray("inprog")
                    .size()
                == 1);
    BsonDocument locked = SERVER.admin("{currentOp: 1}");
    assertThat(locked.getBoolean("fsyncLock").getValue()).isTrue();
    assertThat(locked.getString("info").getValue()).contains("db.fsyncUnlock()");
    assertThat(locked.getArray("inprog"))
        .allMatch(operation -> operation.asDocument().getBoolean("fsyncLock").getValue());
    assertOk(SERVER.run("{find: 'locked'}"));
    assertThat(SERVER.run("{count: 'locked'}").getInt32("n").getValue()).isZero();
    try (RawClient client = SERVER.connect()) {
      assertCode(client.run("{insert: 'locked', documents: [{}], maxTimeMS: 50, $db: 'test'}"), 50);
    }
    assertThat(number(SERVER.admin("{fsyncUnlock: 1}"), "lockCount")).isEqualTo(1);
    assertThat(write).isNotDone();
    assertThat(number(SERVER.admin("{fsyncUnlock: 1}"), "lockCount")).isZero();
    assertThat(write.join().getInt32("n").getValue()).isEqualTo(1);
    assertThat(SERVER.admin("{currentOp: 1}")).doesNotContainKeys("fsyncLock", "info");
  }

  @Test
  void aStandaloneHasNoConnectionsToOthers() {
    BsonDocument stats = SERVER.run("{connPoolStats: 1}");
    stats.remove("ok");
    assertThat(stats)
        .isEqualTo(
            BsonDocument.parse(
                "{numClientConnections: 0, numAScopedConnections: 0, totalInUse: 0,"
                    + " totalAvailable: 0, totalLeased: 0, totalCreated: 0, totalRefreshing: 0,"
                    + " totalRefreshed: 0, totalWasNeverUsed: 0,"
                    + " replicaSetMatchingStrategy: 'matchPrimaryNode', pools: {}, hosts: {},"
                    + " replicaSets: {}}"));
    SERVER.admin("{dropConnections: 1, hostAndPort: ['localhost:1', 'other']}");
  }

  @Test
  void dropConnectionsChecksItsArguments() {
    assertError(
        SERVER.fail("admin", "{dropConnections: 1}"),
        40414,
        "BSON field 'dropConnections.hostAndPort' is missing but a required field");
    assertCode(SERVER.fail("admin", "{dropConnections: 1, hostAndPort: 'localhost:1'}"), 14);
    assertCode(SERVER.fail("admin", "{dropConnections: 1, hostAndPort: [1]}"), 14);
    assertCode(SERVER.fail("admin", "{dropConnections: 1, hostAndPort: ['a:b']}"), 9);
    assertCode(SERVER.fail("admin", "{dropConnections: 1, hostAndPort: [], x: 1}"), 40415);
    assertCode(SERVER.fail("{dropConnections: 1, hostAndPort: []}"), 13);
  }

  @ParameterizedTest
  @ValueSource(strings = {"dbCheck", "filemd5", "validateDBMetadata"})
  void commandsThatAreKnownButNotServed(String name) {
    assertError(
        SERVER.fail("{" + name + ": 1}"), 238, "the command " + name + " is not supported yet");
  }

  @ParameterizedTest
  @ValueSource(strings = {"setUserWriteBlockMode", "flushRouterConfig"})
  void commandsOfTheAdminDatabaseThatAreNotServed(String name) {
    assertError(
        SERVER.fail("{" + name + ": 1}"),
        13,
        name + " may only be run against the admin database.");
    assertCode(SERVER.fail("admin", "{" + name + ": 1}"), 238);
    assertThat(
            SERVER
                .run("{listCommands: 1}")
                .getDocument("commands")
                .getDocument(name)
                .getBoolean("adminOnly")
                .getValue())
        .isTrue();
  }
}
