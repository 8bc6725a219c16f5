package dev.wisent.conformance.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoWriteConcernException;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import dev.wisent.testkit.DirectoryTree;
import dev.wisent.testkit.Eventually;
import dev.wisent.testkit.replica.Member;
import dev.wisent.testkit.replica.ReplicaSetProcesses;
import dev.wisent.testkit.replica.SetOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.bson.Document;
import org.bson.types.Binary;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * Members that are not like the others. One set of three, with a fourth process that becomes
 * whatever a test needs, serves all of them: each leaves it with the first three as equals.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MemberKindsTest {
  private static final WriteConcern MAJORITY_SOON =
      WriteConcern.MAJORITY.withWTimeout(300, TimeUnit.MILLISECONDS);

  private final AtomicInteger lastId = new AtomicInteger();
  private Path directory;
  private ReplicaSetProcesses set;
  private Reconfiguration configuration;
  private Member extra;
  private MongoClient client;
  private MongoCollection<Document> collection;

  @BeforeAll
  void start() throws IOException {
    directory = Files.createTempDirectory("wisent-member-kinds-");
    set = ReplicaSetProcesses.start(directory, SetOptions.of(3));
    extra = set.newMember();
    extra.start();
    configuration = new Reconfiguration(set);
    client = MongoClients.create(set.uri());
    collection = client.getDatabase("kinds").getCollection("c");
    collection.withWriteConcern(WriteConcern.MAJORITY).insertOne(next());
  }

  @AfterEach
  void threeEquals() {
    for (Member member : set.members()) {
      if (!member.running()) {
        member.start();
      }
    }
    awaitReadable();
    if (has(extra)) {
      configuration.remove(extra);
    }
    for (Member member : set.members()) {
      if (member != extra && !has(member)) {
        configuration.add(member, new Document());
      }
    }
    configuration.change(
        config -> {
          for (Document member : config.getList("members", Document.class)) {
            member.append("priority", 1).append("hidden", false).append("votes", 1);
            member.append("secondaryDelaySecs", 0);
          }
        });
    awaitReadable();
    collection
        .withWriteConcern(WriteConcern.W3.withWTimeout(20, TimeUnit.SECONDS))
        .insertOne(next());
  }

  /** Those that are configured and hold data. */
  private void awaitReadable() {
    for (Member member : set.members()) {
      if (member != extra && has(member)) {
        Eventually.holds(
            "member " + member.id() + " serves reads",
            ReplicaSetProcesses.PATIENCE,
            () -> List.of("PRIMARY", "SECONDARY").contains(state(member)));
      }
    }
  }

  @AfterAll
  void stop() throws IOException {
    if (client != null) {
      client.close();
    }
    if (set != null) {
      set.close();
    }
    DirectoryTree.delete(directory);
  }

  private boolean has(Member member) {
    return configuration.members().stream().anyMatch(each -> each.getInteger("_id") == member.id());
  }

  private String state(Member member) {
    return Reconfiguration.state(set.awaitPrimary(), member);
  }

  private Document next() {
    return new Document("_id", lastId.incrementAndGet());
  }

  private static long count(Member member) {
    return member.direct().getDatabase("kinds").getCollection("c").countDocuments();
  }

  private static int codeOf(Member member, Document command) {
    MongoCommandException error =
        catchThrowableOfType(MongoCommandException.class, () -> member.admin(command));
    return error == null ? 0 : error.getErrorCode();
  }

  @Test
  void anArbiterVotesAndHoldsNoData() throws IOException {
    insertMegabytes(8);
    Member other = set.secondaries().stream().filter(m -> m != extra).findFirst().orElseThrow();
    configuration.remove(other);
    configuration.addArbiter(extra);
    configuration.awaitState(extra, "ARBITER");
    Member primary = set.awaitPrimary();
    Member secondary =
        set.members().stream()
            .filter(member -> member != primary && member != other && member != extra)
            .findFirst()
            .orElseThrow();
    configuration.awaitState(secondary, "SECONDARY");

    assertThat(extra.hello())
        .containsEntry("arbiterOnly", true)
        .containsEntry("secondary", false)
        .containsEntry("isWritablePrimary", false)
        .containsEntry("arbiters", List.of(extra.address()));
    assertThat(primary.hello()).containsEntry("arbiters", List.of(extra.address()));
    assertThat(primary.hello().getList("hosts", String.class)).doesNotContain(extra.address());
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
    assertThatThrownBy(() -> count(extra))
        .isInstanceOfSatisfying(
            MongoCommandException.class, e -> assertThat(e.getErrorCode()).isEqualTo(13436));
    assertThat(bytesOfData(extra)).isLessThan(2 << 20);

    secondary.kill();
    collection.insertOne(next());
    assertThatThrownBy(() -> collection.withWriteConcern(MAJORITY_SOON).insertOne(next()))
        .isInstanceOfSatisfying(
            MongoWriteConcernException.class,
            e -> assertThat(e.getWriteConcernError().getCode()).isEqualTo(64));
    assertThat(primary.hello()).containsEntry("isWritablePrimary", true);

    secondary.start();
    collection
        .withWriteConcern(WriteConcern.MAJORITY.withWTimeout(60, TimeUnit.SECONDS))
        .insertOne(next());
    long all = collection.countDocuments();
    primary.kill();
    assertThat(set.awaitPrimary()).isSameAs(secondary);
    collection.insertOne(next());
    assertThat(count(secondary)).isEqualTo(all + 1);
    assertThat(extra.hello()).containsEntry("isWritablePrimary", false);
    assertThat(codeOf(extra, new Document("replSetStepUp", 1))).isEqualTo(125);
  }

  private void insertMegabytes(int count) {
    MongoCollection<Document> large =
        client.getDatabase("kinds").getCollection("large").withWriteConcern(WriteConcern.MAJORITY);
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
    Member hidden = secondary();
    configuration.edit(hidden, entry -> entry.append("priority", 0).append("hidden", true));

    Eventually.passes(
        ReplicaSetProcesses.PATIENCE,
        () -> {
          assertThat(set.awaitPrimary().hello().getList("hosts", String.class))
              .hasSize(2)
              .doesNotContain(hidden.address());
          assertThat(hidden.hello()).containsEntry("hidden", true).containsEntry("secondary", true);
        });
    long before = collection.countDocuments();
    collection
        .withWriteConcern(WriteConcern.W3.withWTimeout(60, TimeUnit.SECONDS))
        .insertOne(next());
    assertThat(count(hidden)).isEqualTo(before + 1);

    Member primary = set.awaitPrimary();
    primary.kill();
    assertThat(set.awaitPrimary()).isNotIn(hidden, primary, extra);
    collection.insertOne(next());
  }

  @Test
  void aPassiveMemberIsListedAsSuch() {
    Member passive = secondary();
    configuration.edit(passive, entry -> entry.append("priority", 0));

    Eventually.passes(
        ReplicaSetProcesses.PATIENCE,
        () -> {
          assertThat(set.awaitPrimary().hello().getList("passives", String.class))
              .containsExactly(passive.address());
          assertThat(passive.hello()).containsEntry("passive", true);
        });
    assertThat(codeOf(passive, new Document("replSetStepUp", 1))).isEqualTo(125);
  }

  private Member secondary() {
    Member primary = set.awaitPrimary();
    return set.members().stream()
        .filter(member -> member != primary && member != extra)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aMemberWithoutAVoteHasTheDataAndCountsForNoMajority() {
    configuration.add(extra, new Document("votes", 0).append("priority", 0));
    configuration.awaitState(extra, "SECONDARY");

    assertThat(set.awaitPrimary().admin("replSetGetStatus"))
        .containsEntry("votingMembersCount", 3)
        .containsEntry("majorityVoteCount", 2)
        .containsEntry("writeMajorityCount", 2);
    long before = collection.countDocuments();
    collection
        .withWriteConcern(new WriteConcern(4).withWTimeout(60, TimeUnit.SECONDS))
        .insertOne(next());
    assertThat(count(extra)).isEqualTo(before + 1);
    assertThat(extra.hello().getList("passives", String.class)).contains(extra.address());
  }

  @Test
  void aDelayedMemberLagsAndHoldsUpNobody() {
    long delay = 3;
    configuration.add(
        extra, new Document("secondaryDelaySecs", delay).append("priority", 0).append("votes", 1));
    configuration.awaitState(extra, "SECONDARY");
    Eventually.passes(
        ReplicaSetProcesses.PATIENCE,
        () -> assertThat(extra.hello()).containsEntry("secondaryDelaySecs", delay));

    Document document = next();
    long start = System.nanoTime();
    collection.withWriteConcern(WriteConcern.MAJORITY).insertOne(document);
    collection
        .withWriteConcern(WriteConcern.W3.withWTimeout(60, TimeUnit.SECONDS))
        .insertOne(next());
    Document found = find(extra, document);
    assertThat(found == null || System.nanoTime() - start > Duration.ofSeconds(delay - 1).toNanos())
        .as("it is not there before its time")
        .isTrue();
    Eventually.holds(
        "the delayed member has it, too",
        ReplicaSetProcesses.PATIENCE,
        () -> find(extra, document) != null);
    assertThat(codeOf(extra, new Document("replSetStepUp", 1))).isEqualTo(125);
  }

  private static Document find(Member member, Document document) {
    return member.direct().getDatabase("kinds").getCollection("c").find(document).first();
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
                configuration.change(
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

  @Test
  void aMemberWithAHigherPriorityTakesTheLeadWhenItHasCaughtUp() {
    Member preferred = secondary();
    configuration.edit(preferred, entry -> entry.append("priority", 5));
    Eventually.holds(
        "the preferred member leads",
        ReplicaSetProcesses.PATIENCE,
        () -> set.awaitPrimary() == preferred);

    preferred.kill();
    Member other = set.awaitPrimary();
    assertThat(other).isNotSameAs(preferred);
    collection.withWriteConcern(WriteConcern.MAJORITY).insertOne(next());
    preferred.start();
    Eventually.holds(
        "the preferred member leads again",
        ReplicaSetProcesses.PATIENCE,
        () -> set.awaitPrimary() == preferred);
    assertThat(count(preferred)).isEqualTo(collection.countDocuments());
  }

  @Test
  void aFrozenMemberIsNotElected() {
    Member frozen = secondary();
    Member primary = set.awaitPrimary();
    assertThat(codeOf(primary, new Document("replSetFreeze", 10))).isEqualTo(95);
    frozen.admin(new Document("replSetFreeze", 120));
    assertThat(codeOf(frozen, new Document("replSetStepUp", 1))).isEqualTo(125);

    primary.admin(new Document("replSetStepDown", 60).append("force", true));
    Member third = set.awaitPrimary();
    assertThat(third).isNotIn(frozen, primary, extra);
    assertThat(frozen.admin(new Document("replSetFreeze", 0))).containsEntry("info", "unfreezing");
    primary.admin(new Document("replSetFreeze", 0));
    // The third leads with the vote of either; who wants the lead has to know whom to ask.
    Eventually.passes(
        ReplicaSetProcesses.PATIENCE,
        () -> assertThat(frozen.hello()).containsEntry("primary", third.address()));
    frozen.admin(new Document("replSetStepUp", 1));
    assertThat(set.awaitPrimary()).isSameAs(frozen);
  }

  @Test
  void aMemberInMaintenanceServesNoReads() {
    Member member = secondary();
    assertThat(codeOf(set.awaitPrimary(), new Document("replSetMaintenance", true))).isEqualTo(95);
    member.admin(new Document("replSetMaintenance", true));
    assertThat(member.admin("replSetGetStatus")).containsEntry("myState", 3);
    assertThat(member.hello()).containsEntry("secondary", false);
    assertThatThrownBy(() -> count(member))
        .isInstanceOfSatisfying(
            MongoCommandException.class, e -> assertThat(e.getErrorCode()).isEqualTo(13436));
    configuration.awaitState(member, "RECOVERING");

    member.admin(new Document("replSetMaintenance", false));
    assertThat(codeOf(member, new Document("replSetMaintenance", false))).isEqualTo(96);
    assertThat(count(member)).isPositive();
    configuration.awaitState(member, "SECONDARY");
  }

  @Test
  void membersMoveToOtherPortsWithTheirData() {
    for (Member moved : List.of(secondary(), set.awaitPrimary())) {
      moved.terminate();
      moved.move(set.freePort(), "--raftPort", Integer.toString(set.freePort()));
      moved.start();
      configuration.edit(moved, entry -> entry.put("host", moved.address()));
      configuration.awaitState(moved, "SECONDARY");
      Eventually.passes(
          ReplicaSetProcesses.PATIENCE,
          () -> assertThat(moved.hello()).containsEntry("me", moved.address()));
      assertThat(set.awaitPrimary().hello().getList("hosts", String.class))
          .contains(moved.address());
    }
    try (MongoClient fresh = MongoClients.create(set.uri())) {
      fresh
          .getDatabase("kinds")
          .getCollection("c")
          .withWriteConcern(WriteConcern.W3.withWTimeout(60, TimeUnit.SECONDS))
          .insertOne(next());
    }
    Member primary = set.awaitPrimary();
    primary.kill();
    assertThat(set.awaitPrimary()).isNotSameAs(primary);
  }

  @Test
  void settingsAreFollowedWhileWritesGoOn() {
    Document before = configuration.config().get("settings", Document.class);
    configuration.change(
        config ->
            config
                .get("settings", Document.class)
                .append("electionTimeoutMillis", 2000)
                .append("heartbeatIntervalMillis", 500)
                .append("heartbeatTimeoutSecs", 5)
                .append("catchUpTimeoutMillis", 5000)
                .append("catchUpTakeoverDelayMillis", 100)
                .append("chainingAllowed", false));
    collection.withWriteConcern(WriteConcern.MAJORITY).insertOne(next());
    assertThat(set.awaitPrimary().admin("replSetGetStatus"))
        .containsEntry("heartbeatIntervalMillis", 500L);

    Member primary = set.awaitPrimary();
    primary.kill();
    assertThat(set.awaitPrimary()).isNotSameAs(primary);
    collection.insertOne(next());
    primary.start();
    configuration.change(config -> config.put("settings", before));
    collection
        .withWriteConcern(WriteConcern.W3.withWTimeout(60, TimeUnit.SECONDS))
        .insertOne(next());
  }

  @Test
  void aSurvivorOfALostMajorityGoesOnWhenForced() {
    collection
        .withWriteConcern(WriteConcern.W3.withWTimeout(60, TimeUnit.SECONDS))
        .insertOne(next());
    long all = collection.countDocuments();
    Member survivor = secondary();
    List<Member> lost = set.members().stream().filter(m -> m != survivor && m != extra).toList();
    Document config = configuration.config();
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
    assertThat(codeOf(survivor, new Document("replSetReconfig", config))).isEqualTo(10107);
    survivor.admin(new Document("replSetReconfig", config).append("force", true));

    assertThat(set.awaitPrimary()).isSameAs(survivor);
    assertThat(count(survivor)).isEqualTo(all);
    collection.insertOne(next());
    assertThat(configuration.config().getInteger("version"))
        .isGreaterThan(config.getInteger("version") + 1000);
  }
}
