package dev.wisent.replication.raft;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.base.Clock;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.replication.ClusterClock;
import dev.wisent.replication.raft.OplogTimestamps.Stamped;
import dev.wisent.storage.Mutation;
import dev.wisent.storage.MutationBuilder;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class OplogTimestampsTest {
  private static final int SECONDS_SHIFT = 32;

  private static Mutation mutation(int entries) {
    var builder = new MutationBuilder();
    for (int i = 0; i < entries; i++) {
      builder.oplogEntry(new BsonBuilder().appendString("op", "n").toDocument().bytes());
    }
    return builder.build();
  }

  /** The clock goes on at each look at it. */
  @Test
  void theTimesOfAnEntryAreOfOneSecond() {
    var millis = new AtomicLong(1_000_000);
    var clock =
        new Clock() {
          @Override
          public long wallMillis() {
            return millis.addAndGet(700);
          }

          @Override
          public long monotonicNanos() {
            return 0;
          }
        };
    var stamp = new OplogTimestamps(new ClusterClock(clock), clock);
    long last = 0;
    for (int round = 0; round < 20; round++) {
      List<Stamped> stamped =
          stamp.stamp(List.of(mutation(1), mutation(0), mutation(3), mutation(2)), 1);
      assertThat(stamped.get(1).timestamp()).isZero();
      long first = stamped.get(0).timestamp();
      assertThat(first).isGreaterThan(last);
      assertThat(stamped.get(2).timestamp()).isEqualTo(first + 3);
      last = stamped.get(3).timestamp();
      assertThat(last).isEqualTo(first + 5);
      assertThat(last >>> SECONDS_SHIFT).isEqualTo(first >>> SECONDS_SHIFT);
    }
  }
}
