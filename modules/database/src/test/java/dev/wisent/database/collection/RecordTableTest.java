package dev.wisent.database.collection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.database.Workers;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class RecordTableTest {
  private static final long NEWEST = Long.MAX_VALUE;
  private static final int DOCUMENT_BYTES = 1000;

  private final long seed = Long.getLong("wisent.seed", System.nanoTime());

  private static byte[] document(long key) {
    return ByteBuffer.allocate(DOCUMENT_BYTES).putLong(key).array();
  }

  @Test
  void hasWhatAMapWouldHave() {
    System.out.println("RecordTableTest seed " + seed);
    var random = new SplittableRandom(seed);
    var table = new RecordTable(1L << 30);
    Map<Long, byte[]> expected = new HashMap<>();
    for (int i = 0; i < 200_000; i++) {
      long key = 1 + random.nextLong(5_000);
      switch (random.nextInt(5)) {
        case 0 -> {
          table.remove(key);
          expected.remove(key);
        }
        case 1, 2 -> {
          byte[] document = {(byte) i};
          table.put(key, i, document);
          expected.put(key, document);
        }
        case 3 -> {
          byte[] document = {(byte) i};
          boolean right = random.nextBoolean();
          table.add(key, i, document, () -> right);
          if (right) {
            expected.putIfAbsent(key, document);
          }
        }
        default ->
            assertThat(table.find(key, NEWEST)).as("seed %d", seed).isSameAs(expected.get(key));
      }
    }
    for (long key = 1; key <= 5_000; key++) {
      assertThat(table.find(key, NEWEST)).as("seed %d", seed).isSameAs(expected.get(key));
    }
  }

  @Test
  void hasVersionsOnlyForThoseWhoSeeThem() {
    var table = new RecordTable(1 << 20);
    byte[] document = document(7);
    table.put(7, 100, document);
    assertThat(table.find(7, 99)).isNull();
    assertThat(table.find(7, 100)).isSameAs(document);
  }

  @Test
  void thereIsNothingUnderNoKey() {
    var table = new RecordTable(1 << 20);
    table.remove(RecordTable.NONE);
    assertThat(table.find(RecordTable.NONE, NEWEST)).isNull();
  }

  @Test
  void forgetsWhatNobodyAsksForBeforeItTakesTooMuch() {
    int fitting = 1000;
    var table = new RecordTable((long) fitting * DOCUMENT_BYTES);
    int wanted = fitting / 4;
    for (long key = 1; key <= 20L * fitting; key++) {
      table.put(key, 1, document(key));
      table.find(1 + key % wanted, NEWEST);
    }
    long left =
        LongStream.rangeClosed(1, 20L * fitting)
            .filter(key -> table.find(key, NEWEST) != null)
            .count();
    assertThat(left).isBetween(fitting / 2L, (long) fitting);
    assertThat(LongStream.rangeClosed(1, wanted).filter(key -> table.find(key, NEWEST) != null))
        .hasSize(wanted);
  }

  @Test
  void readersBesideWritersGetTheRightDocument() throws Exception {
    var table = new RecordTable(200 * DOCUMENT_BYTES);
    var writing = new AtomicBoolean(true);
    var hits = new LongAdder();
    Workers.run(
        4,
        thread -> {
          var random = new SplittableRandom(seed + thread);
          if (thread == 0) {
            for (int i = 0; i < 100_000 || hits.sum() == 0; i++) {
              long key = 1 + random.nextLong(300);
              if (random.nextInt(4) == 0) {
                table.remove(key);
              } else {
                table.put(key, 1, document(key));
              }
            }
            writing.set(false);
          }
          while (writing.get()) {
            long key = 1 + random.nextLong(300);
            byte[] found = table.find(key, NEWEST);
            if (found != null) {
              assertThat(ByteBuffer.wrap(found).getLong()).as("seed %d", seed).isEqualTo(key);
              hits.increment();
            }
          }
        });
    assertThat(hits.sum()).isPositive();
  }
}
