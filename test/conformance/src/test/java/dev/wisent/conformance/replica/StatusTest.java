package dev.wisent.conformance.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoException;
import com.mongodb.WriteConcern;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import dev.wisent.testkit.Eventually;
import dev.wisent.testkit.replica.Member;
import dev.wisent.testkit.replica.ReplicaSetProcesses;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.bson.types.ObjectId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What members say about the set. */
@ExtendWith(SharedReplicaSet.Extension.class)
class StatusTest {

  @Test
  void helloOfThePrimary(ReplicaSetProcesses set) {
    Member primary = set.awaitPrimary();
    Document hello = primary.hello();

    assertThat(hello)
        .containsEntry("setName", ReplicaSetProcesses.NAME)
        .containsEntry("isWritablePrimary", true)
        .containsEntry("secondary", false)
        .containsEntry("primary", primary.address())
        .containsEntry("me", primary.address())
        .containsKeys("setVersion", "topologyVersion", "$clusterTime", "operationTime");
    assertThat(hello.getObjectId("electionId")).isInstanceOf(ObjectId.class);
    assertThat(hello.getList("hosts", String.class))
        .containsExactlyInAnyOrderElementsOf(set.members().stream().map(Member::address).toList());
    assertThat(hello.get("lastWrite", Document.class))
        .containsKeys("opTime", "lastWriteDate", "majorityOpTime", "majorityWriteDate");
    assertThat(hello.get("tags", Document.class)).containsEntry("name", "m" + primary.id());
  }

  @Test
  void helloOfASecondary(ReplicaSetProcesses set) {
    Member primary = set.awaitPrimary();
    for (Member secondary : set.secondaries()) {
      // Of a primary that is new, it hears later than those whose votes were needed.
      Eventually.passes(
          ReplicaSetProcesses.PATIENCE,
          () ->
              assertThat(secondary.hello())
                  .containsEntry("isWritablePrimary", false)
                  .containsEntry("secondary", true)
                  .containsEntry("primary", primary.address())
                  .containsEntry("me", secondary.address())
                  .doesNotContainKey("electionId"));
    }
  }

  @Test
  void connectionsToOtherMembersAreShownAndCanBeDropped(ReplicaSetProcesses set) {
    Member asked = set.awaitPrimary();
    Member other = set.secondaries().getFirst();
    int before = connectionsCreated(asked, other);
    asked.admin(new Document("dropConnections", 1).append("hostAndPort", List.of(other.address())));
    Eventually.holds(
        "they are made again",
        ReplicaSetProcesses.PATIENCE,
        () -> connectionsCreated(asked, other) > before);
    assertThat(asked.admin("connPoolStats"))
        .containsKeys("totalInUse", "totalAvailable", "totalCreated", "pools", "hosts");
  }

  /** Waits until there are any, since they are made when they are needed. */
  private static int connectionsCreated(Member asked, Member other) {
    return Eventually.yields(
        "a connection to " + other.address(),
        ReplicaSetProcesses.PATIENCE,
        () ->
            Optional.ofNullable(
                    asked
                        .admin("connPoolStats")
                        .get("hosts", Document.class)
                        .get(other.address(), Document.class))
                .map(counts -> counts.getInteger("created")));
  }

  @Test
  void statusHasARowForEachMember(ReplicaSetProcesses set) {
    Member primary = set.awaitPrimary();
    for (Member asked : set.members()) {
      // A member learns of the others' states by heartbeats.
      Eventually.passes(
          ReplicaSetProcesses.PATIENCE,
          () -> {
            Document status = asked.admin("replSetGetStatus");
            assertThat(status)
                .containsEntry("set", ReplicaSetProcesses.NAME)
                .containsEntry("myState", asked == primary ? 1 : 2)
                .containsEntry("majorityVoteCount", 2)
                .containsEntry("writeMajorityCount", 2)
                .containsEntry("votingMembersCount", 3)
                .containsKeys("date", "term", "optimes", "heartbeatIntervalMillis");
            List<Document> rows = status.getList("members", Document.class);
            assertThat(rows.stream().map(row -> row.getString("name")).toList())
                .containsExactlyInAnyOrderElementsOf(
                    set.members().stream().map(Member::address).toList());
            assertThat(
                    rows.stream()
                        .collect(
                            Collectors.groupingBy(
                                row -> row.getString("stateStr"), Collectors.counting())))
                .containsEntry("PRIMARY", 1L)
                .containsEntry("SECONDARY", 2L);
            for (Document row : rows) {
              assertThat(row.get("health")).as(row.toJson()).isEqualTo(1.0);
              assertThat(row).containsKeys("_id", "state", "uptime", "optime", "optimeDate");
            }
            assertThat(of(asked, rows)).containsEntry("self", true);
            assertThat(of(primary, rows)).containsKeys("electionTime", "electionDate");
          });
    }
  }

  @Test
  void electionsAreTold(ReplicaSetProcesses set) {
    Member primary = set.awaitPrimary();
    Document status = primary.admin("replSetGetStatus");
    Document won = status.get("electionCandidateMetrics", Document.class);
    assertThat(won)
        .containsEntry("electionTerm", status.getLong("term"))
        .containsEntry("numVotesNeeded", 2)
        .containsEntry("electionTimeoutMillis", (long) SharedReplicaSet.ELECTION_TIMEOUT_MILLIS)
        .containsKeys("lastElectionReason", "lastElectionDate", "newTermStartDate");
    Member next = set.secondaries().getFirst();
    // Who wants the lead has to know whom to ask.
    Eventually.passes(
        ReplicaSetProcesses.PATIENCE,
        () -> assertThat(next.hello()).containsEntry("primary", primary.address()));
    // It may have stepped down a moment ago.
    next.admin(new Document("replSetFreeze", 0));
    next.admin(new Document("replSetStepUp", 1));
    assertThat(set.awaitPrimary()).isSameAs(next);

    Eventually.passes(
        ReplicaSetProcesses.PATIENCE,
        () -> {
          Document taken =
              next.admin("replSetGetStatus").get("electionCandidateMetrics", Document.class);
          assertThat(taken)
              .containsEntry("lastElectionReason", "stepUpRequest")
              .containsEntry("priorPrimaryMemberId", primary.id())
              .containsKey("wMajorityWriteAvailabilityDate");
          Document seen = primary.admin("replSetGetStatus");
          assertThat(seen).doesNotContainKey("electionCandidateMetrics");
          assertThat(seen.get("electionParticipantMetrics", Document.class))
              .containsEntry("electionCandidateMemberId", next.id())
              .containsEntry("electionTerm", taken.getLong("electionTerm"))
              .containsKey("newTermAppliedDate");
          // Its own vote and one of the others are enough, and either of them may be asked first.
          assertThat(set.secondaries())
              .extracting(
                  member ->
                      member
                          .admin("replSetGetStatus")
                          .get("electionParticipantMetrics", Document.class))
              .anySatisfy(vote -> assertThat(vote).containsEntry("votedForCandidate", true));
        });
    Document counts = next.admin("serverStatus").get("electionMetrics", Document.class);
    assertThat(counts.get("stepUpCmd", Document.class).getLong("successful")).isPositive();
    assertThat(counts.getLong("numCatchUpsAlreadyCaughtUp")).isPositive();
  }

  @Test
  void sessionsAndTheirWritesAreShown(ReplicaSetProcesses set) {
    Member primary = set.awaitPrimary();
    Document before = primary.admin("serverStatus").get("transactions", Document.class);
    Document insert =
        new Document("insert", "sessions")
            .append("documents", List.of(new Document("_id", new ObjectId())));
    try (ClientSession session = primary.direct().startSession()) {
      // The driver goes on to use the session after this.
      long number = session.getServerSession().advanceTransactionNumber();
      insert.append("txnNumber", number);
      for (int attempt = 0; attempt < 2; attempt++) {
        assertThat(primary.direct().getDatabase("status_test").runCommand(session, insert))
            .containsEntry("n", 1);
      }
      Bson ofSession =
          Filters.eq("_id.id", session.getServerSession().getIdentifier().getBinary("id"));
      MongoDatabase config = primary.direct().getDatabase("config");
      assertThat(config.getCollection("transactions").find(ofSession).first())
          .containsEntry("txnNum", number)
          .containsKey("lastWriteDate");
      assertThat(
              config
                  .getCollection("system.sessions")
                  .find(ofSession)
                  .sort(new Document("lastUse", -1))
                  .limit(1)
                  .projection(new Document("lastUse", 1))
                  .first())
          .containsOnlyKeys("_id", "lastUse");
      assertThatThrownBy(() -> config.getCollection("transactions").deleteMany(ofSession))
          .isInstanceOfSatisfying(MongoException.class, e -> assertThat(e.getCode()).isEqualTo(73));
    }
    Document status = primary.admin("serverStatus");
    Document after = status.get("transactions", Document.class);
    for (String grown :
        List.of(
            "retriedCommandsCount", "retriedStatementsCount", "transactionsCollectionWriteCount")) {
      assertThat(after.getLong(grown)).as(grown).isGreaterThan(before.getLong(grown));
    }
    assertThat(
            status
                .get("logicalSessionRecordCache", Document.class)
                .getInteger("activeSessionsCount"))
        .isPositive();
  }

  @Test
  void theConfigurationIsTheOneThatWasGiven(ReplicaSetProcesses set) {
    Document config = set.awaitPrimary().admin("replSetGetConfig").get("config", Document.class);

    assertThat(config).containsEntry("_id", ReplicaSetProcesses.NAME).containsKey("version");
    List<Document> members = config.getList("members", Document.class);
    assertThat(members).hasSize(3);
    for (Member member : set.members()) {
      assertThat(of(member, members))
          .containsEntry("_id", member.id())
          .containsEntry("host", member.address())
          .containsEntry("arbiterOnly", false)
          .containsEntry("buildIndexes", true)
          .containsEntry("hidden", false)
          .containsEntry("votes", 1);
    }
    Document settings = config.get("settings", Document.class);
    assertThat(settings)
        .containsEntry("chainingAllowed", true)
        .containsEntry("heartbeatIntervalMillis", 2000)
        .containsEntry("electionTimeoutMillis", SharedReplicaSet.ELECTION_TIMEOUT_MILLIS)
        .containsKey("replicaSetId");
    assertThat(settings.get("getLastErrorModes", Document.class)).containsKey("bothCoasts");
  }

  /** Members that were out of the set for a while stand behind the others. */
  private static Document of(Member member, List<Document> all) {
    return all.stream()
        .filter(each -> each.get("_id").equals(member.id()))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aSetIsInitiatedOnce(ReplicaSetProcesses set) {
    assertThatThrownBy(set::initiate)
        .isInstanceOfSatisfying(
            MongoCommandException.class, e -> assertThat(e.getErrorCode()).isEqualTo(23));
  }

  @Test
  void serverStatusHasRepl(ReplicaSetProcesses set) {
    Member primary = set.awaitPrimary();
    Document repl = primary.admin("serverStatus").get("repl", Document.class);

    assertThat(repl)
        .containsEntry("setName", ReplicaSetProcesses.NAME)
        .containsEntry("isWritablePrimary", true)
        .containsEntry("me", primary.address());
  }

  @Test
  void serverStatusCountsWhatIsApplied(ReplicaSetProcesses set) {
    Member secondary = set.secondaries().getFirst();
    MongoDatabase database =
        set.awaitPrimary().direct().getDatabase("status").withWriteConcern(new WriteConcern(3));
    // What earlier tests have written is applied now, too.
    database.getCollection("settled").insertOne(new Document());
    Document before = secondary.admin("serverStatus");
    var collection = database.getCollection("applied");
    collection.insertMany(List.of(new Document(), new Document(), new Document()));
    collection.updateMany(new Document(), new Document("$set", new Document("n", 1)));
    collection.deleteOne(new Document());
    collection.drop();
    Document after = secondary.admin("serverStatus");
    assertThat(more("opcountersRepl", "insert", before, after)).isEqualTo(3);
    assertThat(more("opcountersRepl", "update", before, after)).isEqualTo(3);
    assertThat(more("opcountersRepl", "delete", before, after)).isEqualTo(1);
    assertThat(more("opcountersRepl", "command", before, after)).isEqualTo(2);
    assertThat(ops(after) - ops(before)).isGreaterThanOrEqualTo(9);
    assertThat(
            after.getEmbedded(List.of("metrics", "repl", "apply", "batches", "num"), Integer.class))
        .isPositive();
    assertThat(after.getEmbedded(List.of("metrics", "repl", "network", "bytes"), Long.class))
        .isPositive();
  }

  private static long more(String section, String counter, Document before, Document after) {
    return after.getEmbedded(List.of(section, counter), Long.class)
        - before.getEmbedded(List.of(section, counter), Long.class);
  }

  private static long ops(Document status) {
    return status.getEmbedded(List.of("metrics", "repl", "apply", "ops"), Long.class);
  }

  @Test
  void membersHaveTheSameOplog(ReplicaSetProcesses set) {
    Member primary = set.awaitPrimary();
    primary
        .direct()
        .getDatabase("oplog_test")
        .getCollection("c")
        .insertOne(new Document("_id", new ObjectId()));
    Document last = lastEntry(primary);

    assertThat(last).containsKeys("ts", "t", "v", "op", "ns", "o", "wall");
    for (Member member : set.members()) {
      Eventually.passes(
          ReplicaSetProcesses.PATIENCE,
          () ->
              assertThat(oplog(member).find(new Document("ts", last.get("ts"))).first())
                  .isEqualTo(last));
    }
  }

  private static Document lastEntry(Member member) {
    return oplog(member)
        .find(new Document("ns", "oplog_test.c"))
        .sort(new Document("$natural", -1))
        .first();
  }

  private static com.mongodb.client.MongoCollection<Document> oplog(Member member) {
    return member.direct().getDatabase("local").getCollection("oplog.rs");
  }
}
