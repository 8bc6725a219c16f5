package dev.wisent.conformance.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoWriteConcernException;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoCollection;
import dev.wisent.testkit.Eventually;
import dev.wisent.testkit.replica.Member;
import dev.wisent.testkit.replica.ReplicaSetProcesses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.bson.Document;
import org.bson.types.Binary;
import org.junit.jupiter.api.Test;

/** Members that are not like the others. Run by {@link MemberKindsTest}. */
abstract class MemberKindCases {
  private static final WriteConcern MAJORITY_SOON =
      WriteConcern.MAJORITY.withWTimeout(300, TimeUnit.MILLISECONDS);

  private final ChangingSet set;

  MemberKindCases(ChangingSet set) {
    this.set = set;
  }

  @Test
  void anArbiterVotesAndHoldsNoData() throws IOException {
    insertMegabytes(8);
    Member other =
        set.processes().secondaries().stream()
            .filter(m -> m != set.extra())
            .findFirst()
            .orElseThrow();
    set.configuration().remove(other);
    set.configuration().addArbiter(set.extra());
    set.configuration().awaitState(set.extra(), "ARBITER");
    Member primary = set.processes().awaitPrimary();
    Member secondary =
        set.processes().members().stream()
            .filter(member -> member != primary && member != other && member != set.extra())
            .findFirst()
            .orElseThrow();
    set.configuration().awaitState(secondary, "SECONDARY");

    assertThat(set.extra().hello())
        .containsEntry("arbiterOnly", true)
        .containsEntry("secondary", false)
        .containsEntry("isWritablePrimary", false)
        .containsEntry("arbiters", List.of(set.extra().address()));
    assertThat(primary.hello()).containsEntry("arbiters", List.of(set.extra().address()));
    assertThat(primary.hello().getList("hosts", String.class))
        .doesNotContain(set.extra().address());
    assertThat(primary.admin("replSetGetStatus"))
        .containsEntry("majorityVoteCount", 2)
        .containsEntry("writeMajorityCount", 2)
        .containsEntry("votingMembersCount", 3)
        .containsEntry("writableVotingMembersCount", 2);
    assertThat(
            primary
                .admin("getDefaultRWConcern")
                .get("defaultWriteConcern", Document.class)
                .get("w"))
        .as("with one arbiter of three, a lost member must not stop all writes")
        .isEqualTo(1);
    assertThatThrownBy(() -> ChangingSet.count(set.extra()))
        .isInstanceOfSatisfying(
            MongoCommandException.class, e -> assertThat(e.getErrorCode()).isEqualTo(13436));
    assertThat(bytesOfData(set.extra())).isLessThan(2 << 20);

    secondary.kill();
    set.collection().insertOne(set.next());
    assertThatThrownBy(() -> set.collection().withWriteConcern(MAJORITY_SOON).insertOne(set.next()))
        .isInstanceOfSatisfying(
            MongoWriteConcernException.class,
            e -> assertThat(e.getWriteConcernError().getCode()).isEqualTo(64));
    assertThat(primary.hello()).containsEntry("isWritablePrimary", true);

    secondary.start();
    set.collection()
        .withWriteConcern(WriteConcern.MAJORITY.withWTimeout(60, TimeUnit.SECONDS))
        .insertOne(set.next());
    long all = set.collection().countDocuments();
    primary.kill();
    assertThat(set.processes().awaitPrimary()).isSameAs(secondary);
    set.collection().insertOne(set.next());
    assertThat(ChangingSet.count(secondary)).isEqualTo(all + 1);
    assertThat(set.extra().hello()).containsEntry("isWritablePrimary", false);
    assertThat(ChangingSet.codeOf(set.extra(), new Document("replSetStepUp", 1))).isEqualTo(125);
  }

  private void insertMegabytes(int count) {
    MongoCollection<Document> large =
        set.client()
            .getDatabase("kinds")
            .getCollection("large")
            .withWriteConcern(WriteConcern.MAJORITY);
    byte[] megabyte = new byte[1 << 20];
    for (int i = 0; i < count; i++) {
      new SplittableRandom(i).nextBytes(megabyte);
      large.insertOne(new Document("bytes", new Binary(megabyte.clone())));
    }
  }

  private static long bytesOfData(Member member) throws IOException {
    long bytes = 0;
    try (Stream<Path> files = Files.walk(member.options().dbpath().resolve("data"))) {
      for (Path file : files.filter(f -> f.toString().endsWith(".sst")).toList()) {
        bytes += Files.size(file);
      }
    }
    return bytes;
  }

  @Test
  void aHiddenMemberIsNotSeenByDriversAndNeverLeads() {
    Member hidden = set.secondary();
    set.configuration().edit(hidden, entry -> entry.append("priority", 0).append("hidden", true));

    Eventually.passes(
        ReplicaSetProcesses.PATIENCE,
        () -> {
          assertThat(set.processes().awaitPrimary().hello().getList("hosts", String.class))
              .hasSize(2)
              .doesNotContain(hidden.address());
          assertThat(hidden.hello()).containsEntry("hidden", true).containsEntry("secondary", true);
        });
    long before = set.collection().countDocuments();
    set.collection()
        .withWriteConcern(WriteConcern.W3.withWTimeout(60, TimeUnit.SECONDS))
        .insertOne(set.next());
    assertThat(ChangingSet.count(hidden)).isEqualTo(before + 1);

    Member primary = set.processes().awaitPrimary();
    primary.kill();
    assertThat(set.processes().awaitPrimary()).isNotIn(hidden, primary, set.extra());
    set.collection().insertOne(set.next());
  }

  @Test
  void aPassiveMemberIsListedAsSuch() {
    Member passive = set.secondary();
    set.configuration().edit(passive, entry -> entry.append("priority", 0));

    Eventually.passes(
        ReplicaSetProcesses.PATIENCE,
        () -> {
          assertThat(set.processes().awaitPrimary().hello().getList("passives", String.class))
              .containsExactly(passive.address());
          assertThat(passive.hello()).containsEntry("passive", true);
        });
    assertThat(ChangingSet.codeOf(passive, new Document("replSetStepUp", 1))).isEqualTo(125);
  }

  @Test
  void aMemberWithoutAVoteHasTheDataAndCountsForNoMajority() {
    set.configuration().add(set.extra(), new Document("votes", 0).append("priority", 0));
    set.configuration().awaitState(set.extra(), "SECONDARY");

    assertThat(set.processes().awaitPrimary().admin("replSetGetStatus"))
        .containsEntry("votingMembersCount", 3)
        .containsEntry("majorityVoteCount", 2)
        .containsEntry("writeMajorityCount", 2);
    long before = set.collection().countDocuments();
    set.collection()
        .withWriteConcern(new WriteConcern(4).withWTimeout(60, TimeUnit.SECONDS))
        .insertOne(set.next());
    assertThat(ChangingSet.count(set.extra())).isEqualTo(before + 1);
    assertThat(set.extra().hello().getList("passives", String.class))
        .contains(set.extra().address());
  }

  @Test
  void aDelayedMemberLagsAndHoldsUpNobody() {
    long delay = 3;
    set.configuration()
        .add(
            set.extra(),
            new Document("secondaryDelaySecs", delay).append("priority", 0).append("votes", 1));
    set.configuration().awaitState(set.extra(), "SECONDARY");
    Eventually.passes(
        ReplicaSetProcesses.PATIENCE,
        () -> assertThat(set.extra().hello()).containsEntry("secondaryDelaySecs", delay));

    Document document = set.next();
    long start = System.nanoTime();
    set.collection().withWriteConcern(WriteConcern.MAJORITY).insertOne(document);
    set.collection()
        .withWriteConcern(WriteConcern.W3.withWTimeout(60, TimeUnit.SECONDS))
        .insertOne(set.next());
    Document found = ChangingSet.find(set.extra(), document);
    assertThat(found == null || System.nanoTime() - start > Duration.ofSeconds(delay - 1).toNanos())
        .as("it is not there before its time")
        .isTrue();
    Eventually.holds(
        "the delayed member has it, too",
        ReplicaSetProcesses.PATIENCE,
        () -> ChangingSet.find(set.extra(), document) != null);
    assertThat(ChangingSet.codeOf(set.extra(), new Document("replSetStepUp", 1))).isEqualTo(125);
  }

  @Test
  void whatCannotBeIsRefused() {
    assertThat(refusal(members -> members.getFirst().append("buildIndexes", false)))
        .contains("buildIndexes");
    assertThat(
            refusal(
                members -> {
                  for (int id = 10; id < 15; id++) {
                    members.add(new Document("_id", id).append("host", "10.213.251.1:" + id));
                  }
                }))
        .contains("8 voting members, but must be at least 1 and no more than 7");
    assertThat(refusal(members -> members.getFirst().append("votes", 0)))
        .contains("priority must be 0 when non-voting (votes:0)");
    assertThat(refusal(members -> members.getFirst().append("secondaryDelaySecs", 5)))
        .contains("priority must be 0 when secondaryDelaySecs is used");
    assertThat(refusal(members -> members.getFirst().append("hidden", true)))
        .contains("priority must be 0 when hidden=true");
    assertThat(
            refusal(
                members -> members.getFirst().append("arbiterOnly", true).append("priority", 0)))
        .contains("differ in the setting of the arbiterOnly field");
  }

  private String refusal(Consumer<List<Document>> edit) {
    MongoCommandException error =
        catchThrowableOfType(
            MongoCommandException.class,
            () ->
                set.configuration()
                    .change(
                        config -> {
                          List<Document> members =
                              new ArrayList<>(config.getList("members", Document.class));
                          edit.accept(members);
                          config.put("members", members);
                        }));
    assertThat(error).isNotNull();
    assertThat(error.getErrorCode()).isEqualTo(103);
    return error.getErrorMessage();
  }
}
