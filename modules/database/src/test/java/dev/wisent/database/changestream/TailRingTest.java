package dev.wisent.database.changestream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.RawDocument;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class TailRingTest {
  private static final RawDocument ENTRY = RawDocument.parse("{op: 'n'}");

  @Test
  void beforeItBeginsItCoversNothing() {
    var ring = new TailRing(4, 1000);
    assertThat(ring.sequenceAfter(0)).isEqualTo(-1);
    ring.restart(5);
    assertThat(ring.sequenceAfter(4)).isEqualTo(-1);
    assertThat(ring.sequenceAfter(5)).isEqualTo(ring.next());
  }

  @Test
  void theOldestEntriesGo() {
    var ring = new TailRing(4, 1000);
    ring.restart(0);
    for (long ts = 1; ts <= 10; ts++) {
      ring.append(ts, ENTRY);
    }
    assertThat(ring.sequenceAfter(5)).isEqualTo(-1);
    TailEntry oldest = ring.get(ring.sequenceAfter(6));
    assertThat(oldest.timestamp()).isEqualTo(7);
    assertThat(ring.get(oldest.sequence() - 1)).isNull();
    assertThat(ring.get(ring.next())).isNull();
  }

  @Test
  void theBytesAreBounded() {
    var ring = new TailRing(1024, 3L * ENTRY.length());
    ring.restart(0);
    for (long ts = 1; ts <= 10; ts++) {
      ring.append(ts, ENTRY);
    }
    assertThat(ring.sequenceAfter(6)).isEqualTo(-1);
    assertThat(ring.sequenceAfter(7)).isEqualTo(ring.next() - 3);
  }

  @Test
  void anEntryLargerThanTheRingIsKeptAlone() {
    var ring = new TailRing(1024, ENTRY.length() - 1);
    ring.restart(0);
    ring.append(1, ENTRY);
    ring.append(2, ENTRY);
    assertThat(ring.get(ring.sequenceAfter(1)).timestamp()).isEqualTo(2);
    assertThat(ring.sequenceAfter(0)).isEqualTo(-1);
  }

  @Test
  void timesAfter2038AreLaterThanThoseBefore() {
    var ring = new TailRing(4, 1000);
    ring.restart(Long.MAX_VALUE - 1);
    ring.append(Long.MAX_VALUE, ENTRY);
    ring.append(Long.MIN_VALUE, ENTRY);
    assertThat(ring.get(ring.sequenceAfter(Long.MAX_VALUE)).timestamp()).isEqualTo(Long.MIN_VALUE);
  }

  /** What is found is the very next entry, also while entries are evicted. */
  @Test
  void noEntryIsMissedWhileOthersAreEvicted() throws Exception {
    long last = 300_000;
    var ring = new TailRing(4, 1 << 20);
    ring.restart(0);
    var appended = new AtomicLong();
    CompletableFuture<Void> appending =
        CompletableFuture.runAsync(
            () -> {
              for (long ts = 1; ts <= last; ts++) {
                ring.append(ts, ENTRY);
                appended.set(ts);
              }
            });
    while (appended.get() < last) {
      long passed = Math.max(0, appended.get() - 3);
      long sequence = ring.sequenceAfter(passed);
      TailEntry found = sequence < 0 ? null : ring.get(sequence);
      if (found != null) {
        assertThat(found.timestamp()).isEqualTo(passed + 1);
      }
    }
    appending.get();
  }
}
