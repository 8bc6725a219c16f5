package dev.wisent.replication.member;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.base.Clock;
import dev.wisent.base.RandomSource;
import dev.wisent.replication.ClusterClock;
import dev.wisent.replication.OpTime;
import dev.wisent.replication.config.MemberConfig;
import dev.wisent.replication.config.ReplicaSetConfig;
import dev.wisent.replication.config.SetSettings;
import dev.wisent.replication.raft.LogApplier;
import dev.wisent.replication.raft.Peer;
import dev.wisent.storage.BatchReader;
import dev.wisent.storage.Keyspace;
import dev.wisent.storage.LogPosition;
import dev.wisent.storage.Mutation;
import dev.wisent.storage.MutationBuilder;
import dev.wisent.storage.StorageEngine;
import dev.wisent.storage.StorageException;
import dev.wisent.storage.StorageOptions;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SpecialAppliersTest {
  private static final byte[] KEY = {0, 0, 0, 1, 9};
  private static final LogPosition POSITION = new LogPosition(1, 1);

  @TempDir Path directory;

  private static final class Recorder implements LogApplier {
    final List<Mutation> applied = new ArrayList<>();

    @Override
    public LogPosition applied() {
      return POSITION;
    }

    @Override
    public OpTime newest() {
      return OpTime.NONE;
    }

    @Override
    public long seenIndex() {
      return POSITION.index();
    }

    @Override
    public void apply(List<Applied> mutations, LogPosition position) {
      mutations.forEach(mutation -> applied.add(mutation.mutation()));
    }

    @Override
    public void enter(LogPosition position) {}

    @Override
    public LogPosition flush() {
      return POSITION;
    }

    @Override
    public LogPosition checkpoint(Path target) {
      return POSITION;
    }

    @Override
    public LogPosition outline(Path target) {
      throw new UnsupportedOperationException();
    }

    @Override
    public boolean keepsData() {
      return true;
    }

    @Override
    public boolean hasRoom() {
      return true;
    }

    @Override
    public void recover() {}

    @Override
    public void install(Path source) {}
  }

  private static ReplicaSetConfig config() {
    return new ReplicaSetConfig(
        "rs",
        1,
        1,
        List.of(
            MemberConfig.of(0, "a:1"),
            new MemberConfig(12, "b:1", true, true, false, 0, 1, 0, Map.of(), false)),
        SetSettings.DEFAULTS,
        UUID.randomUUID());
  }

  private static FakeRaftNode node(MemberConfig member) {
    Map<UUID, FakeLog> logs = new ConcurrentHashMap<>();
    var node = new FakeRaftNode(logs, null, new ClusterClock(Clock.system()), 1);
    node.begin(
        UUID.randomUUID(),
        new Peer(PeerIds.create(member, RandomSource.system()), "a:2", 0, Peer.Role.VOTER));
    return node;
  }

  private static Mutation written(long seconds) {
    return new MutationBuilder()
        .put(Keyspace.RECORDS, KEY, KEY)
        .put(Keyspace.CATALOG, KEY, KEY)
        .put(Keyspace.SYSTEM, KEY, KEY)
        .put(Keyspace.OPLOG, ByteBuffer.allocate(8).putLong(seconds << 32).array(), KEY)
        .build();
  }

  private static List<LogApplier.Applied> replicated(Mutation... mutations) {
    return List.of(mutations).stream()
        .map(mutation -> new LogApplier.Applied(mutation, false))
        .toList();
  }

  @Test
  void peersRememberWhoseTheyAre() {
    for (MemberConfig member : config().members()) {
      String id = PeerIds.create(member, RandomSource.system());
      assertThat(PeerIds.memberId(id)).isEqualTo(member.id());
      assertThat(PeerIds.isArbiter(id)).isEqualTo(member.arbiter());
      assertThat(PeerIds.create(member, RandomSource.system())).isNotEqualTo(id);
    }
  }

  @Test
  void anArbiterKeepsTheConfigurationAlone() {
    var recorder = new Recorder();
    var applier = new ArbiterApplier(recorder, node(config().members().get(1)), null);
    applier.apply(replicated(written(1), ConfigStore.mutation(config())), POSITION);
    assertThat(recorder.applied.get(0).isEmpty()).isTrue();
    var kept = new BatchReader(recorder.applied.get(1));
    assertThat(kept.next()).isTrue();
    assertThat(ConfigStore.isConfig(kept)).isTrue();
    assertThat(kept.next()).isFalse();
    assertThatThrownBy(() -> applier.checkpoint(directory))
        .isInstanceOf(StorageException.class)
        .hasMessageContaining("no data to give");
  }

  @Test
  void whatAnArbiterGetsIsTheConfigurationAlone() {
    Path copy = directory.resolve("copy");
    var recorder = new Recorder();
    try (StorageEngine storage =
        StorageEngine.open(
            StorageOptions.defaults(directory.resolve("source")).withReplicatedLog())) {
      storage.apply(List.of(written(1).batch(), ConfigStore.mutation(config()).batch()), POSITION);
      var leader = new ArbiterApplier(recorder, node(config().members().get(0)), storage);
      assertThat(leader.keepsData()).isTrue();
      assertThat(leader.outline(copy)).isEqualTo(POSITION);
    }
    assertThat(new ArbiterApplier(recorder, node(config().members().get(1)), null).keepsData())
        .isFalse();
    try (StorageEngine outline =
        StorageEngine.open(StorageOptions.defaults(copy).withReplicatedLog())) {
      assertThat(outline.get(Keyspace.RECORDS, KEY)).isNull();
      assertThat(outline.get(Keyspace.CATALOG, KEY)).isNull();
      assertThat(ConfigStore.in(outline).members()).hasSize(2);
      assertThat(outline.appliedPosition()).isEqualTo(POSITION);
    }
  }

  @Test
  void othersKeepEverything() {
    var recorder = new Recorder();
    Mutation mutation = written(1);
    new ArbiterApplier(recorder, node(config().members().get(0)), null)
        .apply(replicated(mutation), POSITION);
    assertThat(recorder.applied).containsExactly(mutation);
  }

  /** A wall clock that stands still until the test moves it. */
  private static final class StandingClock implements Clock {
    final AtomicLong seconds = new AtomicLong(1000);

    @Override
    public long wallMillis() {
      return seconds.get() * 1000;
    }

    @Override
    public long monotonicNanos() {
      return System.nanoTime();
    }
  }

  /** As the log does for each entry. */
  private static void apply(LogApplier applier, Mutation mutation) {
    applier.awaitDue(List.of(mutation), () -> false);
    applier.apply(replicated(mutation), POSITION);
  }

  @Test
  void aDelayedMemberAppliesWhatIsOldEnough() throws Exception {
    var recorder = new Recorder();
    var clock = new StandingClock();
    var delay = new AtomicLong(60);
    var applier = new DelayedApplier(recorder, delay::get, clock);
    apply(applier, written(940));
    assertThat(recorder.applied).hasSize(1);
    var waiting = CompletableFuture.runAsync(() -> apply(applier, written(950)));
    assertThat(waiting).isNotDone();
    clock.seconds.set(1011);
    waiting.get(60, TimeUnit.SECONDS);
    assertThat(recorder.applied).hasSize(2);

    var shortened = CompletableFuture.runAsync(() -> apply(applier, written(1000)));
    assertThat(shortened).isNotDone();
    delay.set(10);
    shortened.get(60, TimeUnit.SECONDS);
    assertThat(recorder.applied).hasSize(3);
  }

  @Test
  void closingDoesNotApplyWhatWaits() {
    var recorder = new Recorder();
    var applier = new DelayedApplier(recorder, () -> 3600, new StandingClock());
    var waiting = CompletableFuture.runAsync(() -> apply(applier, written(1000)));
    applier.close();
    assertThatThrownBy(() -> waiting.get(60, TimeUnit.SECONDS))
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(StorageException.class);
    assertThat(recorder.applied).isEmpty();
  }
}
