package dev.wisent.server.profile;

import static dev.wisent.server.harness.Replies.assertCode;
import static dev.wisent.server.harness.Replies.assertError;
import static dev.wisent.server.harness.Replies.number;
import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Sorts;
import dev.wisent.server.harness.EmbeddedServer;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The profile command, what it records, and the slow log. */
class ProfilerTest {
  @RegisterExtension static final EmbeddedServer SERVER = new EmbeddedServer();

  private static final String DATABASE = "profiled";

  @BeforeEach
  void start() {
    run("{insert: 'c', documents: [{_id: 1, a: 1}, {_id: 2, a: 2}, {_id: 3, a: 3}]}");
  }

  @AfterEach
  void stop() {
    run("{profile: 0, slowms: 100, sampleRate: 1.0, filter: 'unset'}");
    run("{dropDatabase: 1}");
  }

  private static BsonDocument run(String command) {
    return SERVER.run(DATABASE, command);
  }

  private static BsonDocument fail(String command) {
    return SERVER.fail(DATABASE, command);
  }

  private static MongoDatabase database() {
    return SERVER.database(DATABASE);
  }

  private static List<BsonDocument> entries() {
    return database()
        .getCollection("system.profile", BsonDocument.class)
        .find()
        .sort(Sorts.ascending("$natural"))
        .into(new ArrayList<>());
  }

  private static BsonDocument onlyEntry() {
    List<BsonDocument> entries = entries();
    assertThat(entries).hasSize(1);
    return entries.getFirst();
  }

  @Test
  void theSettingsAreToldAndChanged() {
    BsonDocument before = run("{profile: -1}");
    assertThat(before.keySet()).containsExactly("was", "slowms", "sampleRate", "ok");
    assertThat(before).containsAllEntriesOf(BsonDocument.parse("{was: 0, slowms: 100}"));
    assertThat(before.getDouble("sampleRate").getValue()).isEqualTo(1);

    assertThat(number(run("{profile: 1, slowms: 50, sampleRate: 0.5}"), "was")).isZero();
    BsonDocument after = run("{profile: -1}");
    assertThat(after).containsAllEntriesOf(BsonDocument.parse("{was: 1, slowms: 50}"));
    assertThat(after.getDouble("sampleRate").getValue()).isEqualTo(0.5);

    // The level is the database's, the rest the server's.
    assertThat(SERVER.run("other", "{profile: -1}"))
        .containsAllEntriesOf(BsonDocument.parse("{was: 0, slowms: 50}"));
    assertThat(number(run("{profile: 7, slowms: 60}"), "was")).isEqualTo(1);
    assertThat(run("{profile: -1}"))
        .containsAllEntriesOf(BsonDocument.parse("{was: 1, slowms: 60}"));
  }

  @Test
  void badSettingsAreRefused() {
    assertCode(fail("{profile: 'x'}"), 14);
    assertCode(fail("{profile: 1, sampleRate: 1.5}"), 2);
    assertCode(fail("{profile: 1, slowms: 'x'}"), 14);
    assertCode(fail("{profile: 1, filter: 'x'}"), 2);
    assertCode(fail("{profile: 1, filter: {$nosuch: 1}}"), 2);
    assertCode(fail("{profile: 1, nosuch: 1}"), 40415);
    assertThat(number(run("{profile: -1}"), "was")).isZero();
  }

  @Test
  void aFilterIsKeptUntilItIsUnset() {
    BsonDocument set = run("{profile: 0, filter: {op: 'query'}}");
    assertThat(set).containsKey("note").doesNotContainKey("filter");
    BsonDocument read = run("{profile: -1}");
    assertThat(read.getDocument("filter")).isEqualTo(BsonDocument.parse("{op: 'query'}"));
    run("{profile: 0, filter: 'unset'}");
    assertThat(run("{profile: -1}")).doesNotContainKeys("filter", "note");
  }

  @Test
  void aFindIsRecorded() {
    run("{profile: 2}");
    run("{find: 'c', filter: {a: {$gt: 1}}, batchSize: 1, comment: 'mine'}");
    BsonDocument entry = onlyEntry();
    assertThat(entry.getString("op").getValue()).isEqualTo("query");
    assertThat(entry.getString("ns").getValue()).isEqualTo("profiled.c");
    assertThat(entry.getDocument("command"))
        .containsAllEntriesOf(
            BsonDocument.parse("{find: 'c', filter: {a: {$gt: 1}}, comment: 'mine'}"));
    assertThat(number(entry, "nreturned")).isEqualTo(1);
    assertThat(number(entry, "keysExamined")).isZero();
    assertThat(number(entry, "docsExamined")).isPositive();
    assertThat(number(entry, "cursorid")).isNotZero();
    assertThat(entry.getString("planSummary").getValue()).isEqualTo("COLLSCAN");
    assertThat(number(entry, "responseLength")).isGreaterThan(50);
    assertThat(entry.getString("protocol").getValue()).isEqualTo("op_msg");
    assertThat(entry.getString("client").getValue()).isEqualTo("127.0.0.1");
    assertThat(entry.getString("appName").getValue()).isEqualTo("tests");
    assertThat(entry)
        .containsKeys("millis", "ts", "locks", "numYield", "allUsers", "user")
        .doesNotContainKeys("ok", "errMsg", "cursorExhausted");
  }

  @Test
  void planCacheNamesAreThoseOfExplain() {
    BsonDocument planner =
        run("{explain: {find: 'c', filter: {a: 2}}, verbosity: 'queryPlanner'}")
            .getDocument("queryPlanner");
    run("{profile: 2}");
    run("{find: 'c', filter: {a: 1}}");
    BsonDocument entry = onlyEntry();
    for (String name : List.of("queryHash", "planCacheShapeHash", "planCacheKey")) {
      assertThat(entry.getString(name)).as(name).isEqualTo(planner.getString(name));
    }
  }

  @Test
  void getMoresAreRecorded() {
    long id = number(run("{find: 'c', batchSize: 2}").getDocument("cursor"), "id");
    run("{profile: 2}");
    run("{getMore: {$numberLong: '" + id + "'}, collection: 'c'}");
    BsonDocument entry = onlyEntry();
    assertThat(entry.getString("op").getValue()).isEqualTo("getmore");
    assertThat(entry.getString("ns").getValue()).isEqualTo("profiled.c");
    assertThat(number(entry, "cursorid")).isEqualTo(id);
    assertThat(entry.getBoolean("cursorExhausted").getValue()).isTrue();
    assertThat(number(entry, "nreturned")).isEqualTo(1);
  }

  @Test
  void writesAreRecorded() {
    run("{profile: 2}");
    run("{insert: 'c', documents: [{_id: 8}, {_id: 9}]}");
    run("{update: 'c', updates: [{q: {a: {$gte: 2}}, u: {$set: {b: 1}}, multi: true}]}");
    run("{update: 'c', updates: [{q: {_id: 77}, u: {$set: {b: 1}}, upsert: true}]}");
    run("{delete: 'c', deletes: [{q: {_id: 8}, limit: 1}]}");
    run("{findAndModify: 'c', query: {_id: 9}, remove: true}");
    run("{findAndModify: 'c', query: {_id: 1}, update: {$set: {b: 2}}}");
    List<BsonDocument> entries = entries();
    assertThat(entries)
        .extracting(entry -> entry.getString("op").getValue())
        .containsExactly("insert", "update", "update", "remove", "command", "command");
    assertThat(entries.get(0).getDocument("command")).doesNotContainKey("documents");
    assertThat(number(entries.get(0), "ninserted")).isEqualTo(2);
    assertThat(entries.get(1).getDocument("command"))
        .isEqualTo(BsonDocument.parse("{q: {a: {$gte: 2}}, u: {$set: {b: 1}}, multi: true}"));
    assertThat(number(entries.get(1), "nMatched")).isEqualTo(2);
    assertThat(number(entries.get(1), "nModified")).isEqualTo(2);
    assertThat(number(entries.get(2), "nMatched")).isZero();
    assertThat(entries.get(2).getBoolean("upsert").getValue()).isTrue();
    assertThat(number(entries.get(3), "ndeleted")).isEqualTo(1);
    assertThat(number(entries.get(4), "ndeleted")).isEqualTo(1);
    assertThat(number(entries.get(5), "nModified")).isEqualTo(1);
  }

  @Test
  void failuresAreRecorded() {
    run("{profile: 2}");
    fail("{find: 'c', filter: {$nosuch: 1}}");
    BsonDocument entry = onlyEntry();
    assertThat(entry.getDouble("ok").getValue()).isZero();
    assertThat(entry.getString("errName").getValue()).isEqualTo("BadValue");
    assertThat(number(entry, "errCode")).isEqualTo(2);
    assertThat(entry.getString("errMsg").getValue()).contains("$nosuch");
  }

  @Test
  void whatIsNotAboutDataIsNotRecorded() {
    run("{profile: 2}");
    run("{ping: 1}");
    run("{profile: -1}");
    run("{find: 'system.profile'}");
    run("{count: 'system.profile'}");
    assertThat(entries()).isEmpty();
  }

  @Test
  void levelOneRecordsWhatIsSlow() {
    run("{profile: 1, slowms: 1000000}");
    run("{find: 'c'}");
    assertThat(entries()).isEmpty();
    run("{profile: 1, slowms: 0}");
    run("{find: 'c'}");
    assertThat(entries()).hasSize(1);
    run("{profile: 1, slowms: 0, sampleRate: 0}");
    run("{find: 'c'}");
    assertThat(entries()).hasSize(1);
  }

  @Test
  void aFilterDecidesInsteadOfTheTime() {
    run("{profile: 1, slowms: 0, filter: {op: 'query', docsExamined: {$gte: 3}}}");
    run("{find: 'c'}");
    run("{find: 'c', filter: {_id: 1}}");
    run("{count: 'c', query: {a: 5}}");
    assertThat(number(onlyEntry(), "docsExamined")).isEqualTo(3);
  }

  @Test
  void theCollectionIsCappedAndMadeOnDemand() {
    run("{profile: 2}");
    BsonDocument made =
        database()
            .listCollections(BsonDocument.class)
            .filter(new BsonDocument("name", new BsonString("system.profile")))
            .first();
    assertThat(made.getDocument("options"))
        .isEqualTo(BsonDocument.parse("{capped: true, size: 1048576}"));
    String text = "x".repeat(20_000);
    for (int i = 0; i < 100; i++) {
      run("{count: 'c', query: {a: '" + text + "'}}");
    }
    assertThat(entries()).hasSizeBetween(40, 60);
  }

  @Test
  void usersCannotWriteToIt() {
    run("{profile: 2}");
    String message = "cannot write to profiled.system.profile";
    assertError(fail("{insert: 'system.profile', documents: [{}]}"), 73, message);
    assertError(fail("{update: 'system.profile', updates: [{q: {}, u: {a: 1}}]}"), 73, message);
    assertError(fail("{delete: 'system.profile', deletes: [{q: {}, limit: 0}]}"), 73, message);
    assertError(fail("{findAndModify: 'system.profile', remove: true}"), 73, message);
    assertError(
        fail("{drop: 'system.profile'}"),
        20,
        "turn off profiling before dropping system.profile collection");
    run("{profile: 0}");
    run("{drop: 'system.profile'}");
    assertThat(entries()).isEmpty();
  }

  @Test
  void aCollectionThatIsNotCappedIsRefused() {
    run("{create: 'system.profile'}");
    assertCode(fail("{profile: 2}"), 96);
    assertThat(number(run("{profile: -1}"), "was")).isZero();
    run("{drop: 'system.profile'}");
  }

  @Test
  void droppingTheDatabaseEndsProfiling() {
    run("{profile: 2}");
    run("{dropDatabase: 1}");
    assertThat(number(run("{profile: -1}"), "was")).isZero();
  }

  @Test
  void lockedWritesDoNotHoldUpReads() {
    run("{profile: 2}");
    SERVER.admin("{fsync: 1, lock: true}");
    try {
      run("{find: 'c'}");
    } finally {
      SERVER.admin("{fsyncUnlock: 1}");
    }
    assertThat(entries()).isEmpty();
  }

  @Test
  void theSlowLogSaysTheSame() {
    run("{profile: 0, slowms: 0}");
    run("{find: 'c', filter: {a: 3}, comment: 'looked for'}");
    run("{profile: 0, slowms: 100}");
    List<String> lines = SERVER.logLines("Slow query", "looked for");
    assertThat(lines).hasSize(1);
    BsonDocument attributes = BsonDocument.parse(lines.getFirst()).getDocument("attr");
    assertThat(attributes)
        .containsAllEntriesOf(
            BsonDocument.parse(
                "{type: 'command', ns: 'profiled.c', planSummary: 'COLLSCAN', keysExamined: 0,"
                    + " docsExamined: 3, nreturned: 1, appName: 'tests', protocol: 'op_msg'}"))
        .containsKeys("reslen", "durationMillis", "remote", "numYields");
    assertThat(attributes.getDocument("command").getString("find").getValue()).isEqualTo("c");
  }

  @Test
  void aFilterDecidesOnTheSlowLogToo() {
    run("{profile: 0, slowms: 1000000, filter: {nreturned: 2}}");
    run("{find: 'c', limit: 1, comment: 'one for the log'}");
    run("{find: 'c', limit: 2, comment: 'two for the log'}");
    assertThat(SERVER.logLines("Slow query", "for the log")).hasSize(1);
  }
}
