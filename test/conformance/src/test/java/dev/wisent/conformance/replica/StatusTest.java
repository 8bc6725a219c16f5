package dev.wisent.conformance.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoCommandException;
import dev.wisent.testkit.Eventually;
import dev.wisent.testkit.replica.Member;
import dev.wisent.testkit.replica.ReplicaSetProcesses;
import java.util.List;
import java.util.stream.Collectors;
import org.bson.Document;
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
      assertThat(secondary.hello())
          .containsEntry("isWritablePrimary", false)
          .containsEntry("secondary", true)
          .containsEntry("primary", primary.address())
          .containsEntry("me", secondary.address())
          .doesNotContainKey("electionId");
    }
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
        .containsEntry("electionTimeoutMillis", 10000)
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
