package dev.wisent.replication.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.base.Clock;
import dev.wisent.base.Scheduler;
import dev.wisent.base.log.Log;
import dev.wisent.base.loop.BackgroundLoops;
import dev.wisent.replication.ClusterClock;
import dev.wisent.storage.LogPosition;
import dev.wisent.storage.StorageEngine;
import dev.wisent.storage.StorageOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.apache.ratis.proto.RaftProtos.RoleInfoProto;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.server.protocol.TermIndex;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a node does with what its leader answers, or does not answer, about its data. */
class CatchUpTest {
  private static final RoleInfoProto ROLE = RoleInfoProto.getDefaultInstance();

  @TempDir Path directory;
  private Path seedFile;
  private StorageEngine engine;
  private StoreApplier applier;
  private final Leader leader = new Leader();
  private final Timers timers = new Timers();

  @BeforeEach
  void open() {
    seedFile = directory.resolve("seed");
    engine = StorageEngine.open(options("store"));
    engine.apply(List.of(), new LogPosition(3, 7));
    applier = new StoreApplier(engine);
  }

  @AfterEach
  void close() {
    engine.close();
  }

  private StorageOptions options(String name) {
    return StorageOptions.defaults(directory.resolve(name))
        .withCacheBytes(1 << 20)
        .withReplicatedLog();
  }

  private Seed seed() {
    return Seed.of(seedFile, true, Log.silent());
  }

  private Seed unproven() {
    Seed seed = seed();
    seed.begin();
    return seed;
  }

  private CatchUp catchUp(Seed seed) {
    return new CatchUp(seed, applier, leader, timers, Log.silent());
  }

  private LogStateMachine machine(Seed seed) {
    return new LogStateMachine(
        applier,
        null,
        new ClusterClock(Clock.system()),
        ClientId.randomId(),
        leader,
        new ApplyHold(),
        seed,
        BackgroundLoops.silent().scheduler(),
        Log.silent());
  }

  /** Its file could not be removed. */
  @Test
  void aSeedThatWasCaughtUpWithHidesNothingThatReadersHadSeen() throws IOException {
    Files.writeString(seedFile, "wisent raft seed 1\n5\n");
    CatchUp catchUp = catchUp(seed());
    assertThat(catchUp.target()).isEqualTo(7);
    assertThat(catchUp.isDone(TermIndex.valueOf(3, 6))).isFalse();
    assertThat(catchUp.isDone(TermIndex.valueOf(3, 7))).isTrue();
  }

  @Test
  void provenDataIsFollowedUpToWhereTheGroupIs() throws IOException {
    leader.committed = OptionalLong.of(20);
    CatchUp catchUp = catchUp(unproven());
    catchUp.proven(catchUp.ask(ROLE).getAsLong());
    assertThat(catchUp.target()).isEqualTo(20);
    assertThat(seed().target()).isEqualTo(20);
  }

  @Test
  void aLeaderThatCannotBeReachedIsAskedAgain() throws IOException {
    leader.failure = new IOException("connection refused");
    CatchUp catchUp = catchUp(unproven());
    for (int i = 0; i < 30; i++) {
      assertThatThrownBy(() -> catchUp.ask(ROLE)).isSameAs(leader.failure);
    }
    assertThat(timers.tasks).hasSize(1);
    timers.tasks.getFirst().run();
    assertThat(catchUp.ask(ROLE)).as("it does not answer").isEmpty();
  }

  @Test
  void anAnswerEndsTheWaitForOne() throws IOException {
    leader.failure = new IOException("connection refused");
    CatchUp catchUp = catchUp(unproven());
    assertThatThrownBy(() -> catchUp.ask(ROLE)).isSameAs(leader.failure);
    leader.failure = new PositionProof.UndecidedException();
    assertThatThrownBy(() -> catchUp.ask(ROLE)).isSameAs(leader.failure);
    assertThat(timers.tasks).isEmpty();
  }

  @Test
  void aLeaderThatDoesNotKnowTheQuestionIsNotAskedAgain() throws IOException {
    leader.failure = new LeaderClient.UnknownRequestException(null);
    assertThat(catchUp(unproven()).ask(ROLE)).isEmpty();
  }

  @Test
  void whatAStoppedMachineHasFetchedIsNotInstalled() throws Exception {
    try (StorageEngine source = StorageEngine.open(options("source"))) {
      source.apply(List.of(), new LogPosition(3, 9));
      source.checkpoint(directory.resolve("fetched"));
    }
    leader.checkpoint = directory.resolve("fetched");
    LogStateMachine stopped = machine(seed());
    leader.asked = stopped::stop;
    assertThat(install(stopped)).isNull();
    assertThat(applier.installed).hasValue(0);
    leader.asked = () -> {};
    assertThat(install(machine(seed()))).isEqualTo(TermIndex.valueOf(3, 9));
    assertThat(applier.installed).hasValue(1);
  }

  @Test
  void whatAStoppedMachineIsToldAboutTheDataProvesNothing() throws Exception {
    Seed seed = unproven();
    leader.committed = OptionalLong.of(20);
    LogStateMachine stopped = machine(seed);
    leader.asked = stopped::stop;
    assertThat(install(stopped)).isNull();
    assertThat(seed.isUnproven()).isTrue();
    leader.asked = () -> {};
    assertThat(install(machine(seed))).isEqualTo(TermIndex.valueOf(3, 7));
    assertThat(seed.target()).isEqualTo(20);
  }

  @Test
  void whatIsNoSeedAnyMoreIsNotProven() {
    Seed seed = unproven();
    seed.end();
    seed.proven(20);
    assertThat(seed.isPresent()).isFalse();
    assertThat(seedFile).doesNotExist();
  }

  private static TermIndex install(LogStateMachine machine) throws Exception {
    return machine.notifyInstallSnapshotFromLeader(ROLE, TermIndex.valueOf(3, 1)).get();
  }

  private static final class Timers implements Scheduler {
    final List<Runnable> tasks = new ArrayList<>();

    @Override
    public Task after(Duration delay, String name, Runnable task) {
      tasks.add(task);
      return () -> tasks.remove(task);
    }

    @Override
    public Task every(Duration period, String name, Runnable task) {
      throw new UnsupportedOperationException();
    }
  }

  private static final class Leader implements LogEvents {
    volatile OptionalLong committed = OptionalLong.empty();
    volatile IOException failure;
    volatile Path checkpoint;

    /** Run when the leader is asked. */
    volatile Runnable asked = () -> {};

    @Override
    public Path fetchCheckpoint(RoleInfoProto role) {
      asked.run();
      return checkpoint;
    }

    @Override
    public OptionalLong prove(RoleInfoProto role, LogPosition position) throws IOException {
      asked.run();
      if (failure != null) {
        throw failure;
      }
      return committed;
    }

    @Override
    public void leadBegins() {}

    @Override
    public void leadEnds() {}

    @Override
    public void leaderChanged() {}

    @Override
    public void passed(long bytes) {}

    @Override
    public void applied() {}

    @Override
    public void cannotApply(RuntimeException why) {}

    @Override
    public void cannotAppend(Throwable why) {}

    @Override
    public void installed(Exception why) {}

    @Override
    public CompletableFuture<Message> serve(Message request) {
      throw new UnsupportedOperationException();
    }
  }
}
