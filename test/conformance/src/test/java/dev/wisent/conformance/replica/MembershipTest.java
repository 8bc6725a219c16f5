package dev.wisent.conformance.replica;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoException;
import com.mongodb.MongoSocketException;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import dev.wisent.testkit.Eventually;
import dev.wisent.testkit.replica.Member;
import dev.wisent.testkit.replica.ReplicaSetProcesses;
import dev.wisent.testkit.replica.SetOptions;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Members and roles that change while a client goes on. */
@Execution(ExecutionMode.CONCURRENT)
class MembershipTest {

  @TempDir private Path directory;
  private ReplicaSetProcesses set;
  private Reconfiguration configuration;
  private MongoClient client;
  private MongoCollection<Document> collection;

  @BeforeEach
  void start() {
    set = ReplicaSetProcesses.start(directory, SetOptions.of(3));
    configuration = new Reconfiguration(set);
    client = MongoClients.create(set.uri());
    collection =
        client.getDatabase("members").getCollection("c").withWriteConcern(WriteConcern.MAJORITY);
    collection.insertOne(new Document("_id", 0));
  }

  @AfterEach
  void stop() {
    if (client != null) {
      client.close();
    }
    if (set != null) {
      set.close();
    }
  }

  @Test
  void aMemberIsAddedAndAnotherRemoved() {
    Member fourth = set.newMember();
    fourth.start();
    own(fourth).insertOne(new Document("_id", "before it had the others' data"));
    configuration.add(fourth, new Document());
    set.awaitAllReadable();
    // It can be read for a moment before the sync is put down as done.
    Eventually.passes(ReplicaSetProcesses.PATIENCE, () -> assertSynced(fourth));
    LastApplied.isLastOfOplog(fourth);
    assertThat(own(fourth).find().first()).containsEntry("_id", "before it had the others' data");
    assertThat(own(set.awaitPrimary()).countDocuments()).isZero();

    collection
        .withWriteConcern(new WriteConcern(4).withWTimeout(60, TimeUnit.SECONDS))
        .insertOne(new Document("_id", 1));
    assertThat(count(fourth)).isEqualTo(2);

    Member removed =
        set.secondaries().stream().filter(member -> member != fourth).findFirst().orElseThrow();
    configuration.remove(removed);

    collection
        .withWriteConcern(new WriteConcern(3).withWTimeout(60, TimeUnit.SECONDS))
        .insertOne(new Document("_id", 2));
    Eventually.holds(
        "the removed member knows",
        ReplicaSetProcesses.PATIENCE,
        () -> {
          Document hello = removed.hello();
          return !hello.getBoolean("secondary", false)
              && !hello.getBoolean("isWritablePrimary", false);
        });
    assertThat(set.awaitPrimary().hello().getList("hosts", String.class))
        .hasSize(3)
        .doesNotContain(removed.address());
  }

  /** MongoDB tells of an initial sync only while it lasts; here it can be asked for later, too. */
  private void assertSynced(Member fourth) {
    assertThat(fourth.admin("replSetGetStatus")).doesNotContainKey("initialSyncStatus");
    assertThat(fourth.admin(new Document("replSetGetStatus", 1).append("initialSync", 0)))
        .doesNotContainKey("initialSyncStatus");
    Document asked = new Document("replSetGetStatus", 1).append("initialSync", 1);
    Document sync = fourth.admin(asked).get("initialSyncStatus", Document.class);
    assertThat(sync)
        .containsEntry("method", "fileCopyBased")
        .containsKeys("initialSyncStart", "initialSyncEnd", "totalInitialSyncElapsedMillis")
        .containsKey("failedInitialSyncAttempts")
        .containsEntry("remainingInitialSyncEstimatedMillis", 0L)
        .containsEntry("approxTotalBytesCopied", sync.getLong("approxTotalDataSize"));
    Document attempt = sync.getList("initialSyncAttempts", Document.class).getLast();
    assertThat(attempt).containsEntry("status", "OK").containsKey("durationMillis");
    assertThat(set.members().stream().map(Member::address))
        .contains(attempt.getString("syncSource"));
    assertThat(set.member(0).admin(asked))
        .as("it began the set")
        .doesNotContainKey("initialSyncStatus");
  }

  @Test
  void aPrimaryStepsDownAndWritesGoOn() {
    Member before = set.awaitPrimary();
    long termBefore = before.admin("replSetGetStatus").getLong("term");
    try {
      before.admin(new Document("replSetStepDown", 120).append("secondaryCatchUpPeriodSecs", 25));
    } catch (MongoSocketException allowedToClose) {
      // MongoDB before 4.2 closed its connections, and drivers still expect that.
    }

    collection.insertOne(new Document("_id", 1));

    Member after = set.awaitPrimary();
    assertThat(after).isNotSameAs(before);
    assertThat(after.admin("replSetGetStatus").getLong("term")).isGreaterThan(termBefore);
    assertThat(before.hello()).containsEntry("secondary", true);
  }

  @Test
  void withoutAMajorityThereAreReadsButNoWritesAndItHealsByItself() {
    Member survivor = set.secondaries().getFirst();
    List<Member> others = set.members().stream().filter(member -> member != survivor).toList();
    // A secondary is told of what is committed after the primary has acknowledged it.
    Eventually.passes(ReplicaSetProcesses.PATIENCE, () -> assertThat(count(survivor)).isOne());
    others.forEach(Member::kill);

    Eventually.holds(
        "the survivor does not lead",
        ReplicaSetProcesses.PATIENCE,
        () -> !survivor.hello().getBoolean("isWritablePrimary", false));
    assertThat(count(survivor)).isOne();
    Document insert =
        new Document("insert", "c").append("documents", List.of(new Document("_id", "lonely")));
    Eventually.passes(
        ReplicaSetProcesses.PATIENCE,
        () -> {
          int code = 0;
          try {
            survivor.direct().getDatabase("members").runCommand(insert);
          } catch (MongoException e) {
            code = e.getCode();
          }
          assertThat(code).isIn(10107, 189, 11602);
        });
    assertThat(count(survivor)).as("reads go on").isOne();

    others.forEach(Member::start);
    set.awaitPrimary();
    collection.insertOne(new Document("_id", 1));
    assertThat(collection.countDocuments()).isEqualTo(2);
  }

  @Test
  void allMembersRestartWithTheirData() {
    for (int i = 1; i < 50; i++) {
      collection.insertOne(new Document("_id", i));
    }
    set.members().forEach(Member::kill);
    set.members().forEach(Member::start);
    set.awaitPrimary();

    collection.insertOne(new Document("_id", 50));

    assertThat(collection.countDocuments()).isEqualTo(51);
    set.awaitAllReadable();
    for (Member member : set.members()) {
      Eventually.passes(
          ReplicaSetProcesses.PATIENCE, () -> assertThat(count(member)).isEqualTo(51));
      LastApplied.isLastOfOplog(member);
    }
  }

  /** What is not replicated. */
  private static MongoCollection<Document> own(Member member) {
    return member.direct().getDatabase("local").getCollection("own");
  }

  private static long count(Member member) {
    return member.direct().getDatabase("members").getCollection("c").countDocuments();
  }
}
