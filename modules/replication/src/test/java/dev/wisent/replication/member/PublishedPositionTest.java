package dev.wisent.replication.member;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.RawDocument;
import dev.wisent.replication.MemberState;
import dev.wisent.replication.OpTime;
import dev.wisent.replication.ReplicaSet.MemberPosition;
import dev.wisent.storage.MutationBuilder;
import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A member says that it has something when that can be found there. */
class PublishedPositionTest {
  private static final long PATIENCE_SECONDS = 60;

  private final Map<UUID, FakeLog> logs = new ConcurrentHashMap<>();

  @Test
  void isToldWhenItCanBeFound(@TempDir Path directory) throws Exception {
    try (var primary = new TestMember(directory.resolve("m0"), "rs", logs);
        var secondary = new TestMember(directory.resolve("m1"), "rs", logs)) {
      primary.initiate(
          "{_id: 'rs', version: 1, members: [{_id: 0, host: '%s'}, {_id: 1, host: '%s'}]}"
              .formatted(primary.host(), secondary.host()));
      await(() -> secondary.member.state() == MemberState.SECONDARY);
      var waiting = new CountDownLatch(2);
      var published = new CountDownLatch(1);
      secondary.publication =
          () -> {
            waiting.countDown();
            awaitLatch(published);
          };
      byte[] note = RawDocument.parse("{op: 'n', ns: '', o: {}}").toByteArray();
      primary.raft.log().submit(new MutationBuilder().oplogEntry(note).build());
      OpTime last = primary.member.lastApplied();
      Thread reader =
          Thread.ofVirtual()
              .start(() -> secondary.member.awaitApplied(last.timestamp(), TestMember.operation()));

      // The one that tells the primary, and the reader.
      awaitLatch(waiting);
      assertThat(secondary.member.lastApplied()).isEqualTo(last);
      assertThat(positionOfSecondary(primary)).isLessThan(last);
      assertThat(reader.isAlive()).isTrue();

      published.countDown();
      await(() -> positionOfSecondary(primary).equals(last));
      reader.join();
    }
  }

  private static OpTime positionOfSecondary(TestMember primary) {
    return primary.member.positions().stream()
        .filter(position -> position.memberId() == 1)
        .map(MemberPosition::applied)
        .findFirst()
        .orElse(OpTime.NONE);
  }

  private static void awaitLatch(CountDownLatch latch) {
    try {
      assertThat(latch.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static void await(BooleanSupplier condition) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).isLessThan(deadline);
      LockSupport.parkNanos(1_000_000);
    }
  }
}
