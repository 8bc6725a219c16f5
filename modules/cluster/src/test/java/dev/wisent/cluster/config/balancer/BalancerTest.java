package dev.wisent.cluster.config.balancer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.ValueText;
import dev.wisent.operation.OperationContext;
import dev.wisent.sharding.balance.ChunkMove;
import dev.wisent.sharding.balance.GrowingEnd;
import dev.wisent.sharding.balance.MoveReason;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BalancerTest {
  @TempDir Path directory;
  private BalancerCluster cluster;

  @BeforeEach
  void open() {
    cluster = new BalancerCluster(directory, 3);
  }

  @AfterEach
  void close() {
    cluster.close();
  }

  private void settings(String fields) {
    cluster.put("settings", "{_id: 'balancer', " + fields + "}");
  }

  @Test
  void roundsFollowEachOtherUntilTheCollectionIsBalanced() {
    cluster.collection("db.c", 0, 0, 0, 0, 0, 0, 0, 0, 0);
    cluster.start();
    // Five, two and two are three chunks apart; with one more migration it is two.
    cluster.await("balance", () -> cluster.moves.started.size() == 5);
    cluster.runRounds();
    assertThat(cluster.moves.started).hasSize(5);
    assertThat(cluster.owners("db.c")).contains("s1").contains("s2");
    assertThat(cluster.find("actionlog", "{what: 'balancer.round'}"))
        .hasSizeGreaterThanOrEqualTo(2)
        .allSatisfy(
            line -> {
              RawDocument details = line.get("details").asDocument();
              assertThat(details.get("errorOccurred").isTruthy()).isFalse();
              assertThat(details.get("chunksMoved").asInt32()).isPositive();
            });
    assertThat(cluster.balancer.figures().rounds.get()).isGreaterThanOrEqualTo(3);
    assertThat(cluster.balancer.figures().movesDone.get()).isEqualTo(cluster.moves.started.size());
  }

  @Test
  void nothingMovesWhileTheBalancerIsStopped() {
    settings("stopped: true, mode: 'off'");
    cluster.collection("db.c", 0, 0, 0, 0, 0, 0);
    cluster.start();
    cluster.runRound();
    assertThat(cluster.moves.started).isEmpty();
    assertThat(cluster.balancer.figures().rounds.get()).isZero();
    settings("stopped: false, mode: 'full'");
    cluster.balancer.wake();
    cluster.await("a migration", () -> !cluster.moves.started.isEmpty());
  }

  @Test
  void dataMovesOnlyInsideOfTheWindow() {
    // Any minute of the day but this one and the next.
    LocalTime now =
        Instant.ofEpochMilli(cluster.wallMillis).atZone(ZoneId.systemDefault()).toLocalTime();
    String later =
        "%02d:%02d".formatted(now.plusMinutes(2).getHour(), now.plusMinutes(2).getMinute());
    String before =
        "%02d:%02d".formatted(now.minusMinutes(2).getHour(), now.minusMinutes(2).getMinute());
    settings("activeWindow: {start: '%s', stop: '%s'}".formatted(later, before));
    cluster.collection("db.c", 0, 0, 0, 0, 0, 0);
    cluster.start();
    cluster.runRound();
    assertThat(cluster.moves.started).isEmpty();
    settings("activeWindow: {start: '%s', stop: '%s'}".formatted(before, later));
    cluster.balancer.wake();
    cluster.await("a migration", () -> !cluster.moves.started.isEmpty());
  }

  @Test
  void aWindowThatMakesNoSenseFailsTheRoundAndNotTheLoop() {
    settings("activeWindow: {start: '25:00', stop: '1:00'}");
    cluster.collection("db.c", 0, 0, 0, 0, 0, 0);
    cluster.start();
    cluster.runRound();
    assertThat(cluster.moves.started).isEmpty();
    assertThat(cluster.balancer.figures().roundsFailed.get()).isPositive();
    assertThat(cluster.find("actionlog", "{'details.errorOccurred': true}")).isNotEmpty();
    settings("stopped: false");
    cluster.balancer.wake();
    cluster.await("a migration", () -> !cluster.moves.started.isEmpty());
  }

  @Test
  void aMigrationThatFailsIsTriedAgainAfterAWhileAndOthersGoOn() {
    cluster.collection("db.c", 0, 0, 0, 0, 0, 0, 0, 0);
    cluster.moves.failing.add("{ k: MinKey }");
    cluster.start();
    cluster.runRounds();
    assertThat(attempts("MinKey")).isEqualTo(1);
    assertThat(cluster.owners("db.c")).startsWith("s0");
    assertThat(cluster.balancer.figures().movesFailed.get()).isEqualTo(1);
    cluster.change("shards", "s0", "{draining: true}");
    cluster.runRounds();
    assertThat(cluster.owners("db.c").split("s0", -1)).as("all but one have gone").hasSize(2);
    assertThat(attempts("MinKey")).isEqualTo(1);
    cluster.advance(FailedMoves.PAUSE_MIN.plusSeconds(1));
    cluster.runRound();
    assertThat(attempts("MinKey")).isEqualTo(2);
    cluster.advance(FailedMoves.PAUSE_MIN.plusSeconds(1));
    cluster.runRound();
    assertThat(attempts("MinKey")).as("the pause has doubled").isEqualTo(2);
    cluster.moves.failing.clear();
    cluster.advance(FailedMoves.PAUSE_MIN);
    cluster.runRound();
    assertThat(cluster.owners("db.c")).doesNotContain("s0");
  }

  @Test
  void aChunkThatWasChangedMeanwhileIsNoFailure() {
    cluster.collection("db.c", 0, 0, 0, 0, 0, 0, 0, 0);
    cluster.moves.failing.add("{ k: MinKey }");
    cluster.moves.failure = ErrorCode.CONFLICTING_OPERATION_IN_PROGRESS;
    cluster.start();
    cluster.runRound();
    cluster.runRound();
    assertThat(attempts("MinKey")).as("without a pause").isGreaterThanOrEqualTo(2);
    assertThat(cluster.balancer.figures().movesOutdated.get()).isEqualTo(attempts("MinKey"));
    assertThat(cluster.balancer.figures().movesFailed.get()).isZero();
  }

  /** Two shards own documents with one unique key: it does not help to try again. */
  @Test
  void whatCannotBeMovedIsTriedAgainWhenTheBalancerIsStarted() {
    cluster.collection("db.c", 0, 0, 0, 0, 0, 0, 0, 0);
    cluster.moves.failing.add("{ k: MinKey }");
    cluster.moves.failure = ErrorCode.DUPLICATE_KEY;
    cluster.change("shards", "s0", "{draining: true}");
    cluster.start();
    cluster.runRounds();
    assertThat(cluster.owners("db.c").split("s0", -1)).as("all but one have gone").hasSize(2);
    cluster.advance(FailedMoves.PAUSE_MIN.plusSeconds(1));
    cluster.runRounds();
    assertThat(attempts("MinKey")).isEqualTo(2);
    cluster.advance(FailedMoves.PAUSE_MAX.multipliedBy(100));
    cluster.runRounds();
    assertThat(attempts("MinKey")).as("once more, and then no longer").isEqualTo(2);
    cluster.moves.failing.clear();
    cluster.balancer.restart();
    cluster.await("the range has gone", () -> !cluster.owners("db.c").contains("s0"));
  }

  private long attempts(String key) {
    return cluster.moves.started.stream().filter(move -> isAt(move, key)).count();
  }

  private static boolean isAt(ChunkMove move, String key) {
    return ValueText.of(move.range().min()).contains(key);
  }

  @Test
  void whoStopsTheBalancerWaitsForTheRoundUnderWay() {
    cluster.collection("db.c", 0, 0, 0, 0, 0, 0);
    cluster.moves.hold = true;
    cluster.start();
    cluster.await("a migration", () -> !cluster.moves.started.isEmpty());
    assertThat(cluster.balancer.isInRound()).isTrue();
    OperationContext impatient = cluster.operation();
    impatient.limitMillis(1);
    assertThatThrownBy(() -> cluster.balancer.join(impatient))
        .isInstanceOf(CommandException.class)
        .extracting(e -> ((CommandException) e).code())
        .isEqualTo(ErrorCode.MAX_TIME_MS_EXPIRED);
    settings("stopped: true");
    cluster.moves.releaseAll();
    cluster.balancer.join(cluster.operation());
    assertThat(cluster.balancer.isInRound()).isFalse();
  }

  @Test
  void aMigrationThatDoesNotEndHoldsUpItsShardsOnly() {
    cluster.put("shards", "{_id: 's3', host: 's3/h:4', state: 1}");
    cluster.collection("db.c", 0, 0, 0, 0, 0, 0, 0, 0, 0);
    cluster.moves.hold = true;
    cluster.start();
    cluster.await("a migration", () -> !cluster.moves.started.isEmpty());
    ChunkMove held = cluster.moves.started.getFirst();
    cluster.moves.hold = false;
    cluster.await(
        "the end of the round",
        () -> {
          cluster.advance(BalancerRound.WAIT_MAX);
          return !cluster.balancer.isInRound();
        });
    cluster.runRounds();
    assertThat(cluster.moves.started).hasSize(1);
    String other = held.to().equals("s1") ? "s2" : "s1";
    int number = other.charAt(1) - '0';
    cluster.collection("db.d", number, number, number, number, number, number, number);
    cluster.runRounds();
    assertThat(cluster.moves.started).hasSizeGreaterThan(1);
    assertThat(cluster.moves.started.subList(1, cluster.moves.started.size()))
        .allSatisfy(
            move ->
                assertThat(List.of(move.from(), move.to())).doesNotContain(held.from(), held.to()));

    OperationContext impatient = cluster.operation();
    impatient.limitMillis(1);
    assertThatThrownBy(() -> cluster.balancer.join(impatient))
        .isInstanceOf(CommandException.class)
        .extracting(e -> ((CommandException) e).code())
        .isEqualTo(ErrorCode.MAX_TIME_MS_EXPIRED);
    cluster.moves.releaseAll();
    cluster.balancer.join(cluster.operation());
    cluster.runRounds();
    assertThat(cluster.owners("db.c")).contains("s1").contains("s2").contains("s3");
    assertThat(cluster.balancer.figures().stalls.get()).isZero();
  }

  /** Such as one that a client has asked for. */
  @Test
  void shardsOfMigrationsUnderWayAreLeftOut() {
    cluster.collection("db.c", 0, 0, 0, 0, 0, 0, 0, 0, 0);
    cluster.put("migrations", "{_id: 1, ns: 'db.other', fromShard: 's1', toShard: 's5'}");
    cluster.start();
    cluster.runRounds();
    assertThat(cluster.owners("db.c")).contains("s2").doesNotContain("s1");
    assertThat(cluster.balancer.figures().stalls.get()).isZero();
  }

  @Test
  void theEndOfLeadershipEndsTheRound() {
    cluster.collection("db.c", 0, 0, 0, 0, 0, 0);
    cluster.moves.hold = true;
    cluster.start();
    cluster.await("a migration", () -> !cluster.moves.started.isEmpty());
    cluster.leads = false;
    cluster.balancer.end();
    cluster.balancer.join(cluster.operation());
    assertThat(cluster.balancer.isInRound()).isFalse();
    int before = cluster.moves.started.size();
    cluster.balancer.wake();
    cluster.moves.hold = false;
    cluster.leads = true;
    cluster.balancer.wake();
    cluster.await("the next term's round", () -> cluster.moves.started.size() > before);
    assertThat(cluster.balancer.loop().counts().failures()).isZero();
  }

  @Test
  void collectionsThatAreNotBalancedStay() {
    cluster.collection("db.no", 0, 0, 0, 0, 0, 0);
    cluster.change("collections", "db.no", "{noBalance: true}");
    cluster.collection("db.forbidden", 0, 0, 0, 0, 0, 0);
    cluster.change("collections", "db.forbidden", "{allowMigrations: false}");
    cluster.collection("db.notPermitted", 0, 0, 0, 0, 0, 0);
    cluster.change("collections", "db.notPermitted", "{permitMigrations: false}");
    cluster.collection("db.yes", 0, 0, 0, 0, 0, 0);
    cluster.start();
    cluster.await("a migration", () -> !cluster.moves.started.isEmpty());
    cluster.runRound();
    assertThat(cluster.moves.started)
        .extracting(move -> move.namespace().full())
        .containsOnly("db.yes");
  }

  @Test
  void aShardThatDoesNotAnswerTakesNoPart() {
    cluster.unreachable.add("s1");
    cluster.collection("db.c", 0, 0, 0, 0, 0, 0, 0, 0, 0);
    cluster.start();
    cluster.await("a migration", () -> !cluster.moves.started.isEmpty());
    cluster.runRound();
    assertThat(cluster.moves.started).extracting(ChunkMove::to).containsOnly("s2");
    assertThat(cluster.moves.started).hasSizeLessThanOrEqualTo(3);
  }

  @Test
  void theChunkSizeOfACollectionCounts() {
    cluster.collection("db.c", 0, 0, 0, 0, 0, 0);
    cluster.change("collections", "db.c", "{maxChunkSizeBytes: 1073741824}");
    cluster.start();
    cluster.runRound();
    assertThat(cluster.moves.started).isEmpty();
    cluster.change("collections", "db.c", "{maxChunkSizeBytes: 134217728}");
    cluster.balancer.wake();
    cluster.await("a migration", () -> !cluster.moves.started.isEmpty());
    assertThat(cluster.moves.started.getFirst().bytes()).isEqualTo(BalancerCluster.CHUNK);
  }

  @Test
  void zonesAreFollowed() {
    cluster.collection("db.c", 0, 0, 0);
    cluster.change("shards", "s2", "{tags: ['far']}");
    cluster.put("tags", "{_id: 1, ns: 'db.c', min: {k: 10}, max: {k: {$maxKey: 1}}, tag: 'far'}");
    cluster.start();
    cluster.await("the zone", () -> cluster.owners("db.c").equals("s0 s2 s2"));
    assertThat(cluster.moves.started)
        .extracting(ChunkMove::reason)
        .containsOnly(MoveReason.ZONE_VIOLATION);
  }

  @Test
  void aDrainingShardLosesItsChunksAndThenItsDatabases() {
    cluster.collection("db.c", 0, 0, 1);
    cluster.put("databases", "{_id: 'db', primary: 's0'}");
    cluster.put("databases", "{_id: 'other', primary: 's0'}");
    cluster.parameters.movesDrainedDatabases(false);
    cluster.change("shards", "s0", "{draining: true}");
    cluster.start();
    cluster.await("chunks", () -> !cluster.owners("db.c").contains("s0"));
    cluster.runRound();
    assertThat(cluster.moves.primaries).isEmpty();
    cluster.parameters.movesDrainedDatabases(true);
    cluster.balancer.wake();
    cluster.await("databases", () -> cluster.balancer.figures().primariesMoved.get() == 2);
    assertThat(cluster.find("databases", "{primary: 's0'}")).isEmpty();
    assertThat(cluster.moves.primaries).hasSize(2).noneMatch(move -> move.endsWith("s0"));
  }

  @Test
  void theNewChunkAtAGrowingEndGoesToAnEmptierShard() {
    cluster.collection("db.log", 0, 0);
    cluster.start();
    cluster.runRound();
    assertThat(cluster.moves.started).isEmpty();
    cluster.ends.split("db.log", GrowingEnd.HIGH);
    cluster.await("a migration", () -> !cluster.moves.started.isEmpty());
    ChunkMove move = cluster.moves.started.getFirst();
    assertThat(move.reason()).isEqualTo(MoveReason.GROWING_END);
    assertThat(move.range().min()).isEqualTo(RawDocument.parse("{k: 10}"));
  }

  @Test
  void smallNeighboursAreMergedNowAndThen() {
    cluster.collection("db.small", 0, 0, 1, 1, 2);
    cluster.collection("db.not", 0, 0);
    cluster.change("collections", "db.not", "{enableAutoMerge: false}");
    cluster.chunkBytes = BalancerCluster.CHUNK / 10;
    cluster.parameters.autoMergerThrottlingMillis(5_000);
    cluster.start();
    cluster.runRound();
    assertThat(cluster.merged).as("the first look is after an interval").isEmpty();
    cluster.advance(Duration.ofHours(1));
    cluster.runRound();
    cluster.runRound();
    assertThat(cluster.merged).containsExactly("db.small on s0 by 5");
    cluster.advance(Duration.ofSeconds(5));
    cluster.runRound();
    cluster.advance(Duration.ofSeconds(5));
    cluster.runRound();
    assertThat(cluster.merged).containsExactly("db.small on s0 by 5", "db.small on s1 by 5");
    assertThat(cluster.balancer.figures().chunksMerged.get()).isEqualTo(2);
    cluster.put("settings", "{_id: 'automerge', enabled: false}");
    cluster.advance(Duration.ofHours(1));
    cluster.runRound();
    assertThat(cluster.merged).hasSize(2);
  }

  @Test
  void withoutMetadataTheLoopGoesOn() {
    cluster.start();
    cluster.runRound();
    cluster.advance(Duration.ofSeconds(11));
    cluster.collection("db.c", 0, 0, 0, 0, 0, 0);
    cluster.await("a migration", () -> !cluster.moves.started.isEmpty());
  }
}
