package dev.wisent.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class OplogSlotsTest {
  /** {op: "n"}. */
  private static final byte[] ENTRY = {13, 0, 0, 0, 2, 'o', 'p', 0, 1, 0, 0, 0, 0};

  @Test
  void anEntryBecomesAChangeWithItsTimeAtTheEnd() {
    byte[] entry = {15, 0, 0, 0, 2, 'o', 'p', 0, 2, 0, 0, 0, 'n', 0, 0};
    Mutation mutation =
        new MutationBuilder()
            .put(Keyspace.RECORDS, new byte[] {7}, new byte[] {8})
            .oplogEntry(entry)
            .oplogEntry(ENTRY)
            .build();
    var stamp = new OplogSlots((5L << 32) | 3, 9, 1_234);
    Mutation stamped = stamp.applyTo(mutation);
    assertThat(stamped.oplogEntries()).isEmpty();
    assertThat(stamped.changeCount()).isEqualTo(5);
    assertThat(Mutation.ofBatch(stamped.batch(), List.of()).changeCount()).isEqualTo(5);
    assertThat(stamp.lastOf(mutation)).isEqualTo((5L << 32) | 4);
    var changes = new BatchReader(stamped);
    assertThat(changes.next()).isTrue();
    assertThat(changes.keyspace()).isEqualTo(Keyspace.RECORDS);
    assertThat(changes.next()).isTrue();
    assertThat(changes.keyspace()).isEqualTo(Keyspace.OPLOG);
    assertThat(RecordKeys.recordId(changes.bytes(), changes.keyOffset())).isEqualTo((5L << 32) | 3);
    int value = changes.valueOffset();
    assertThat(changes.valueLength()).isEqualTo(entry.length + 48);
    assertThat((int) BatchFormat.INT_LE.get(changes.bytes(), value)).isEqualTo(entry.length + 48);
    assertThat(changes.bytes()[value + changes.valueLength() - 1]).isZero();
    assertThat(new String(changes.bytes(), value, changes.valueLength(), StandardCharsets.US_ASCII))
        .containsSubsequence("op", "ts", "t", "v", "wall");
    assertThat(changes.next()).isTrue();
    assertThat(RecordKeys.recordId(changes.bytes(), changes.keyOffset())).isEqualTo((5L << 32) | 4);
    assertThat(changes.next()).isTrue();
    assertThat(changes.delta()).isEqualTo(2);
    assertThat(changes.next()).isTrue();
    assertThat(changes.delta()).isEqualTo(entry.length + ENTRY.length + 96);
    assertThat(changes.next()).isFalse();
  }

  @Test
  void aMutationWithoutEntriesStaysAsItIs() {
    Mutation mutation = new MutationBuilder().delete(Keyspace.INDEX, new byte[] {1}).build();
    assertThat(new OplogSlots(1, 1, 1).applyTo(mutation)).isSameAs(mutation);
    assertThat(new OplogSlots(1, 1, 1).lastOf(mutation)).isZero();
  }

  @Test
  void theSizeIsKnownBefore() {
    for (int more = 0; more < 400; more++) {
      // Around the lengths that take another byte: 128 and 16,384, with the 48 that are added.
      byte[] small = new byte[5 + more];
      byte[] large = new byte[16_384 - 248 + more];
      Mutation mutation =
          new MutationBuilder()
              .put(Keyspace.RECORDS, new byte[] {7}, new byte[more])
              .oplogEntry(small)
              .oplogEntry(large)
              .build();
      assertThat(OplogSlots.sizeBytes(mutation))
          .isEqualTo(new OplogSlots(1, 1, 1).applyTo(mutation).sizeBytes());
    }
    Mutation none = new MutationBuilder().delete(Keyspace.INDEX, new byte[] {1}).build();
    assertThat(OplogSlots.sizeBytes(none)).isEqualTo(none.sizeBytes());
  }
}
