package dev.wisent.conformance.replica;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoWriteConcernException;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.wisent.testkit.Eventually;
import dev.wisent.testkit.FreePort;
import dev.wisent.testkit.replica.Member;
import dev.wisent.testkit.replica.ReplicaSetProcesses;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.bson.Document;
import org.junit.jupiter.api.Test;

/** Changes that concern the set as a whole. Run by {@link MemberKindsTest}. */
abstract class SetChangeCases {
  private final ChangingSet set;

  SetChangeCases(ChangingSet set) {
    this.set = set;
  }

  @Test
  void membersMoveToOtherPortsWithTheirData() {
    for (Member moved : List.of(set.secondary(), set.processes().awaitPrimary())) {
      moved.terminate();
      moved.move(FreePort.find(), "--raftPort", Integer.toString(FreePort.find()));
      moved.start();
      set.configuration().edit(moved, entry -> entry.put("host", moved.address()));
      set.configuration().awaitState(moved, "SECONDARY");
      Eventually.passes(
          ReplicaSetProcesses.PATIENCE,
          () -> assertThat(moved.hello()).containsEntry("me", moved.address()));
      assertThat(set.processes().awaitPrimary().hello().getList("hosts", String.class))
          .contains(moved.address());
      LastApplied.isLastOfOplog(moved);
    }
    try (MongoClient fresh = MongoClients.create(set.processes().uri())) {
      fresh
          .getDatabase("kinds")
          .getCollection("c")
          .withWriteConcern(WriteConcern.W3.withWTimeout(60, TimeUnit.SECONDS))
          .insertOne(set.next());
    }
    Member primary = set.processes().awaitPrimary();
    primary.kill();
    assertThat(set.processes().awaitPrimary()).isNotSameAs(primary);
  }

  @Test
  void settingsAreFollowedWhileWritesGoOn() {
    Document before = set.configuration().config().get("settings", Document.class);
    set.configuration()
        .change(
            config ->
                config
                    .get("settings", Document.class)
                    .append("electionTimeoutMillis", 2000)
                    .append("heartbeatIntervalMillis", 500)
                    .append("heartbeatTimeoutSecs", 5)
                    .append("catchUpTimeoutMillis", 5000)
                    .append("catchUpTakeoverDelayMillis", 100)
                    .append("chainingAllowed", false));
    set.collection().withWriteConcern(WriteConcern.MAJORITY).insertOne(set.next());
    assertThat(set.processes().awaitPrimary().admin("replSetGetStatus"))
        .containsEntry("heartbeatIntervalMillis", 500L);

    Member primary = set.processes().awaitPrimary();
    primary.kill();
    assertThat(set.processes().awaitPrimary()).isNotSameAs(primary);
    set.collection().insertOne(set.next());
    primary.start();
    set.configuration().change(config -> config.put("settings", before));
    // The primary hands over before it starts its log again, and a write that waits is told so.
    Eventually.holds(
        "a write on all members", ReplicaSetProcesses.PATIENCE, this::isWrittenOnAllMembers);
  }

  private boolean isWrittenOnAllMembers() {
    try {
      set.collection()
          .withWriteConcern(WriteConcern.W3.withWTimeout(60, TimeUnit.SECONDS))
          .insertOne(set.next());
      return true;
    } catch (MongoWriteConcernException e) {
      assertThat(e.getCode()).as(e.getMessage()).isEqualTo(189);
      return false;
    }
  }

  @Test
  void aSurvivorOfALostMajorityGoesOnWhenForced() {
    set.collection()
        .withWriteConcern(WriteConcern.W3.withWTimeout(60, TimeUnit.SECONDS))
        .insertOne(set.next());
    long all = set.collection().countDocuments();
    Member survivor = set.secondary();
    List<Member> lost =
        set.processes().members().stream().filter(m -> m != survivor && m != set.extra()).toList();
    Document config = set.configuration().config();
    lost.forEach(Member::kill);
    Eventually.holds(
        "the primary is missed",
        ReplicaSetProcesses.PATIENCE,
        () -> survivor.hello().getString("primary") == null);

    config.put(
        "members",
        config.getList("members", Document.class).stream()
            .filter(entry -> entry.getInteger("_id") == survivor.id())
            .toList());
    assertThat(ChangingSet.codeOf(survivor, new Document("replSetReconfig", config)))
        .isEqualTo(10107);
    survivor.admin(new Document("replSetReconfig", config).append("force", true));

    assertThat(set.processes().awaitPrimary()).isSameAs(survivor);
    assertThat(ChangingSet.count(survivor)).isEqualTo(all);
    LastApplied.isLastOfOplog(survivor);
    set.collection().insertOne(set.next());
    LastApplied.isLastOfOplog(survivor);
    assertThat(set.configuration().config().getInteger("version"))
        .isGreaterThan(config.getInteger("version") + 1000);
  }
}
