package dev.wisent.database.collection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.Finds;
import dev.wisent.database.ReplicatedPair;
import dev.wisent.database.ReplicatedPair.Loss;
import dev.wisent.database.StoreContents;
import dev.wisent.database.TestDatabase;
import dev.wisent.database.Workers;
import dev.wisent.database.catalog.CatalogKeys;
import dev.wisent.database.catalog.IndexDefinition;
import dev.wisent.operation.FindRequest.Tailing;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationProgress;
import dev.wisent.operation.ResultCursor;
import dev.wisent.storage.Keyspace;
import dev.wisent.storage.LeadershipException;
import dev.wisent.storage.LeadershipException.Kind;
import dev.wisent.storage.MutationBuilder;
import dev.wisent.storage.RecordKeys;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What readers of a database see that others write to, and what happens when the lead changes. */
class FollowerTest {
  private static final Namespace OTHER = new Namespace("test", "other");

  private ReplicatedPair pair;
  private TestDatabase leader;
  private TestDatabase follower;

  @BeforeEach
  void open(@TempDir Path directory) {
    pair = new ReplicatedPair(directory, 1);
    leader = pair.leader();
    follower = pair.follower();
  }

  @AfterEach
  void close() {
    leader.assertNothingLeaks();
    follower.assertNothingLeaks();
    pair.close();
  }

  private static void assertFails(ThrowingCallable call, ErrorCode code) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(CommandException.class, e -> assertThat(e.code()).isEqualTo(code));
  }

  private static void assertLeadershipLost(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            LeadershipException.class, e -> assertThat(e.kind()).isEqualTo(Kind.LEADERSHIP_LOST));
  }

  @Test
  void documentsAndCounts() {
    leader.insert("{_id: 1, a: 1}", "{_id: 2, a: 2}");
    pair.awaitApplied();
    assertThat(follower.find("{}")).isEqualTo(leader.find("{}"));
    leader.update("{_id: 1}", "{$set: {a: 'longer'}}");
    leader.delete("{_id: 2}", false);
    pair.awaitApplied();
    assertThat(follower.find("{_id: 1}")).containsExactly("{\"_id\": 1, \"a\": \"longer\"}");
    assertThat(follower.find("{_id: 2}")).isEmpty();
    assertThat(follower.collection().documents()).isEqualTo(1);
    assertThat(follower.collection().dataBytes()).isEqualTo(leader.collection().dataBytes());
    follower.assertValid();
  }

  /** Caches of documents rely on it, such as that of the default concerns. */
  @Test
  void theVersionOfACollectionChangesWithItsDocuments() {
    assertVersionsChange(() -> leader.insert("{_id: 1, a: 1}", "{_id: 2, a: 1}"));
    assertVersionsChange(() -> leader.update("{_id: 1}", "{$set: {a: 2}}"));
    assertVersionsChange(() -> leader.delete("{_id: 2}", false));
    assertVersionsChange(
        () -> leader.database().changes().drop(leader.collection(), leader.operation()));
  }

  private void assertVersionsChange(Runnable write) {
    Object ofLeader = leader.database().version(TestDatabase.NAMESPACE);
    Object ofFollower = follower.database().version(TestDatabase.NAMESPACE);
    assertThat(leader.database().version(TestDatabase.NAMESPACE)).isSameAs(ofLeader);
    assertThat(follower.database().version(TestDatabase.NAMESPACE)).isSameAs(ofFollower);
    write.run();
    pair.awaitApplied();
    assertThat(leader.database().version(TestDatabase.NAMESPACE)).isNotSameAs(ofLeader);
    assertThat(follower.database().version(TestDatabase.NAMESPACE)).isNotSameAs(ofFollower);
  }

  @Test
  void whoReadsTheSameDocumentAgainNeverSeesAnOlderVersion() {
    leader.insert("{_id: 1, v: 0}");
    pair.awaitApplied();
    var writing = new AtomicBoolean(true);
    Workers.run(
        3,
        thread -> {
          if (thread == 0) {
            for (int v = 1; v <= 2000; v++) {
              leader.update("{_id: 1}", "{$set: {v: " + v + "}}");
            }
            pair.awaitApplied();
            writing.set(false);
          } else {
            String filter = thread == 1 ? "{_id: 1}" : "{v: {$gte: 0}}";
            int last = 0;
            while (writing.get()) {
              int seen = RawDocument.parse(follower.find(filter).getFirst()).get("v").asInt32();
              assertThat(seen).isGreaterThanOrEqualTo(last);
              last = seen;
            }
          }
        });
    assertThat(follower.find("{_id: 1}")).containsExactly("{\"_id\": 1, \"v\": 2000}");
  }

  @Test
  void aPlanKnowsOfTheArraysThatItsStateHas() {
    leader.insert("{_id: 0, a: 0, b: 0}");
    leader.createIndex("{a: 1, b: 1}");
    pair.awaitApplied();
    var writing = new AtomicBoolean(true);
    Workers.run(
        2,
        thread -> {
          if (thread == 0) {
            for (int i = 1; i <= 100; i++) {
              leader.dropIndex("a_1_b_1");
              leader.createIndex("{a: 1, b: 1}");
              leader.insert("{_id: " + i + ", a: [5, 25], b: 1}");
              leader.delete("{_id: " + i + "}", false);
            }
            writing.set(false);
          } else {
            // With bounds on both sides at a time, an index that knows of no array finds nothing.
            while (writing.get()) {
              long scanned = 0;
              for (RawDocument document : follower.find(Finds.all().toRequest())) {
                scanned += document.get("_id").asInt32() > 0 ? 1 : 0;
              }
              assertThat(scanned).isBetween(0L, 1L);
              for (String found : follower.find("{a: {$gt: 10, $lt: 20}}")) {
                assertThat(found).contains("[5, 25]");
              }
            }
          }
        });
    leader.insert("{_id: 1000, a: [5, 25], b: 1}");
    pair.awaitApplied();
    assertThat(follower.collection().index("a_1_b_1").isMultikey()).isTrue();
    assertThat(follower.find("{a: {$gt: 10, $lt: 20}}")).hasSize(1);
    follower.assertValid();
  }

  @Test
  void aTailableCursorSeesWhatIsInserted() throws Exception {
    leader.create("{capped: true, size: 100000, max: 5}");
    leader.insert("{_id: 1}");
    pair.awaitApplied();
    try (ResultCursor cursor =
        follower
            .database()
            .find(follower.operation(), Finds.all().tailing(Tailing.AWAIT_DATA).toRequest())) {
      assertThat(TestDatabase.ids(TestDatabase.take(cursor, 10))).containsExactly(1);
      cursor.detach();
      CompletableFuture<List<RawDocument>> next =
          CompletableFuture.supplyAsync(
              () -> {
                cursor.attach(follower.operation());
                cursor.awaitMore(60_000);
                List<RawDocument> more = TestDatabase.take(cursor, 10);
                cursor.detach();
                return more;
              });
      leader.insert("{_id: 2}");
      assertThat(TestDatabase.ids(next.get(60, TimeUnit.SECONDS))).containsExactly(2);
    }
  }

  @Test
  void cursorsEndWhenTheirCollectionGoesOrGetsAnotherName() {
    for (int i = 0; i < 10; i++) {
      leader.insert("{_id: " + i + "}");
    }
    pair.awaitApplied();
    Collection collection = follower.collection();
    try (ResultCursor renamed = openCursor();
        ResultCursor dropped = openCursor()) {
      leader.database().changes().rename(leader.collection(), OTHER, null, leader.operation());
      pair.awaitApplied();
      assertThat(follower.database().catalog().find(TestDatabase.NAMESPACE)).isNull();
      assertThat(follower.database().catalog().find(OTHER)).isSameAs(collection);
      assertFails(() -> renamed.attach(follower.operation()), ErrorCode.QUERY_PLAN_KILLED);
      Collection other = leader.database().catalog().require(OTHER);
      leader.database().changes().drop(other, leader.operation());
      pair.awaitApplied();
      assertThat(follower.database().catalog().all()).isEmpty();
      assertThat(collection.isDropped()).isTrue();
      assertFails(() -> dropped.attach(follower.operation()), ErrorCode.QUERY_PLAN_KILLED);
    }
    StoreContents.assertEmpty(follower);
  }

  private ResultCursor openCursor() {
    ResultCursor cursor = follower.database().find(follower.operation(), Finds.all().toRequest());
    assertThat(TestDatabase.take(cursor, 3)).hasSize(3);
    cursor.detach();
    return cursor;
  }

  @Test
  void aRenameOverAnotherCollectionDropsThat() {
    leader.insert("{_id: 1, of: 'source'}");
    leader.database().changes().create(OTHER, RawDocument.EMPTY, leader.operation());
    pair.awaitApplied();
    Collection source = follower.collection();
    Collection target = follower.database().catalog().require(OTHER);
    Collection replaced = leader.database().catalog().require(OTHER);
    leader.database().changes().rename(leader.collection(), OTHER, replaced, leader.operation());
    pair.awaitApplied();
    assertThat(follower.database().catalog().all()).containsExactly(source);
    assertThat(follower.database().catalog().find(OTHER)).isSameAs(source);
    assertThat(target.isDropped()).isTrue();
    assertThat(source.documents()).isEqualTo(1);
  }

  @Test
  void writesAreRefusedWhereNobodyLeads() {
    leader.insert("{_id: 1}");
    pair.awaitApplied();
    assertFails(() -> follower.tryInsert(true, "{_id: 2}"), ErrorCode.NOT_WRITABLE_PRIMARY);
    assertFails(() -> follower.updateMany("{}", "{$set: {a: 1}}"), ErrorCode.NOT_WRITABLE_PRIMARY);
    assertFails(() -> follower.delete("{}", true), ErrorCode.NOT_WRITABLE_PRIMARY);
    assertFails(() -> follower.createIndex("{a: 1}"), ErrorCode.NOT_WRITABLE_PRIMARY);
    assertFails(
        () -> follower.database().changes().drop(follower.collection(), follower.operation()),
        ErrorCode.NOT_WRITABLE_PRIMARY);
    assertThat(follower.database().expiry().lifetimes()).isEmpty();
    assertThatThrownBy(() -> follower.tryInsert(true, "{_id: 2}")).hasMessage("not primary");
    assertThat(follower.find("{}")).hasSize(1);
  }

  @Test
  void theNextLeaderGivesOutNoRecordIdAgainAndKnowsAllKeys() {
    leader.insert("{_id: 1, a: 1}", "{_id: 2, a: 2}", "{_id: 3, a: 3}");
    leader.createIndex("{a: 1}", "unique");
    pair.swap();
    pair.leader().insert("{_id: 5, a: 5}");
    pair.swap();
    leader.insert("{_id: 7, a: 7}");
    leader.delete("{_id: 7}", false);
    pair.swap();
    assertDuplicate(follower, "{_id: 5, a: 50}");
    assertDuplicate(follower, "{_id: 50, a: 5}");
    follower.insert("{_id: 6, a: 6}", "{_id: 8, a: 8}");
    pair.swap();
    assertDuplicate(leader, "{_id: 8, a: 80}");
    leader.insert("{_id: 9, a: 9}");
    pair.awaitApplied();
    assertThat(leader.find("{}")).isEqualTo(follower.find("{}"));
    assertThat(leader.collection().documents()).isEqualTo(7);
    leader.assertValid();
    follower.assertValid();
  }

  private static void assertDuplicate(TestDatabase database, String document) {
    var failures = database.tryInsert(true, document).failures();
    assertThat(failures).hasSize(1);
    assertThat(failures.getFirst().error().code()).isEqualTo(ErrorCode.DUPLICATE_KEY);
  }

  @Test
  void aWriteThatLosesTheLeadIsNotCountedUnlessItIsApplied() {
    leader.insert("{_id: 1, v: 0}");
    assertThat(leader.find("{_id: 1}")).hasSize(1);
    for (Loss loss : new Loss[] {Loss.WITHOUT_MUTATION, Loss.WITH_MUTATION}) {
      pair.loseAtNextCommit(loss);
      assertLeadershipLost(() -> leader.update("{_id: 1}", "{$set: {v: 1}}"));
      leader.assertNothingLeaks();
      pair.awaitApplied();
      int expected = loss == Loss.WITH_MUTATION ? 1 : 0;
      assertThat(leader.find("{_id: 1}"))
          .containsExactly("{\"_id\": 1, \"v\": " + expected + "}")
          .isEqualTo(follower.find("{_id: 1}"));
      pair.lead(pair.first());
    }
    for (Loss loss : new Loss[] {Loss.WITHOUT_MUTATION, Loss.WITH_MUTATION}) {
      pair.loseAtNextCommit(loss);
      assertLeadershipLost(() -> leader.insert("{_id: 2}", "{_id: 3}"));
      pair.awaitApplied();
      int expected = loss == Loss.WITH_MUTATION ? 3 : 1;
      assertThat(leader.collection().documents()).isEqualTo(expected);
      assertThat(follower.collection().documents()).isEqualTo(expected);
      pair.lead(pair.first());
    }
    leader.assertValid();
    follower.assertValid();
  }

  @Test
  void aChangeOfTheCatalogThatLosesTheLeadIsPublishedWhenItIsApplied() {
    leader.insert("{_id: 1}");
    pair.loseAtNextCommit(Loss.WITH_MUTATION);
    assertLeadershipLost(
        () -> leader.database().changes().drop(leader.collection(), leader.operation()));
    pair.awaitApplied();
    assertThat(leader.database().catalog().all()).isEmpty();
    assertThat(follower.database().catalog().all()).isEmpty();
  }

  @Test
  void whatABuildHasLeftBehindGoesInTheNextReign() {
    fillForLargeBuild();
    pair.loseAtNextCommit(Loss.NONE);
    var building = new AtomicBoolean();
    leader
        .database()
        .changes()
        .indexBuildListener(
            new ForwardingListener(
                () -> {
                  building.set(true);
                  leader.database().leadership().becomeFollower();
                }));
    assertFails(
        () -> leader.createIndex("{a: 1}", "unique"),
        ErrorCode.INTERRUPTED_DUE_TO_REPL_STATE_CHANGE);
    assertThat(building).isTrue();
    StoreContents.putLeftovers(leader, 500);
    pair.awaitApplied();
    StoreContents.putLeftovers(follower, 500);
    pair.swap();
    Workers.await(
        "leftovers are removed",
        () -> StoreContents.isNothingUnknown(leader) && StoreContents.isNothingUnknown(follower));
    assertThat(pair.leader().collection().builds()).isEmpty();
    pair.leader().createIndex("{a: 1}", "unique");
    pair.awaitApplied();
    leader.assertValid();
    follower.assertValid();
  }

  private record ForwardingListener(Runnable whenStarted) implements IndexBuildListener {
    @Override
    public void started(Namespace namespace, List<IndexDefinition> indexes) {
      whenStarted.run();
    }

    @Override
    public void progress(Namespace namespace, OperationProgress progress) {}

    @Override
    public void done(Namespace namespace, List<IndexDefinition> indexes, long millis) {}

    @Override
    public void failed(Namespace namespace, List<IndexDefinition> indexes, Throwable why) {}
  }

  private void fillForLargeBuild() {
    for (int i = 0; i < 15; i++) {
      String[] documents = new String[100];
      for (int j = 0; j < 100; j++) {
        documents[j] = "{_id: " + (100 * i + j) + ", a: " + (100 * i + j) + "}";
      }
      leader.insert(documents);
    }
  }

  @Test
  void aLargeBuildComesThroughTheLog() {
    fillForLargeBuild();
    leader.createIndex("{a: 1}");
    leader.createIndex("{a: -1}", "unique");
    pair.awaitApplied();
    assertThat(follower.collection().definition()).isEqualTo(leader.collection().definition());
    follower.assertValid();
    StoreContents.assertNothingUnknown(follower);
    StoreContents.assertNothingUnknown(leader);
  }

  @Test
  void temporaryCollectionsGoWhenAReignBegins() {
    leader
        .database()
        .changes()
        .create(OTHER, RawDocument.parse("{temp: true}"), leader.operation());
    leader.insert("{_id: 1}");
    pair.awaitApplied();
    assertThat(follower.database().catalog().find(OTHER)).isNotNull();
    pair.swap();
    Workers.await(
        "it goes",
        () ->
            leader.database().catalog().find(OTHER) == null
                && follower.database().catalog().find(OTHER) == null);
    assertThat(follower.collection().documents()).isEqualTo(1);
  }

  @Test
  void replacedContentsAreReadAnewAndCursorsEnd() {
    for (int i = 0; i < 10; i++) {
      leader.insert("{_id: " + i + "}");
    }
    pair.awaitApplied();
    assertThat(follower.find("{_id: 1}")).hasSize(1);
    Collection before = follower.collection();
    try (ResultCursor cursor = openCursor()) {
      follower
          .database()
          .leadership()
          .replaceContents(
              () -> {
                var mutation = new MutationBuilder();
                mutation.delete(Keyspace.RECORDS, RecordKeys.recordKey(before.ident(), 2));
                mutation.add(Keyspace.CATALOG, CatalogKeys.documents(before.ident()), -1);
                follower.log().submit(mutation.build()).awaitApplied();
              });
      assertFails(
          () -> cursor.attach(follower.operation()),
          ErrorCode.INTERRUPTED_DUE_TO_REPL_STATE_CHANGE);
    }
    assertThat(follower.find("{_id: 1}")).isEmpty();
    assertThat(follower.collection()).isNotSameAs(before);
    assertThat(follower.collection().documents()).isEqualTo(9);
  }
}
