package dev.wisent.database.oplog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.LittleEndian;
import dev.wisent.storage.BatchReader;
import dev.wisent.storage.Keyspace;
import dev.wisent.storage.Mutation;
import dev.wisent.storage.MutationBuilder;
import dev.wisent.storage.PreImage;
import dev.wisent.storage.RecordKeys;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
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
    assertThat(LittleEndian.int32(changes.bytes(), value)).isEqualTo(entry.length + 48);
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

  @Test
  void anImageGetsTheTimeOfItsEntry() {
    Mutation mutation =
        new MutationBuilder()
            .oplogEntry(ENTRY)
            .oplogEntry(ENTRY)
            .preImage(9, new byte[200])
            .build();
    var slots = new OplogSlots((5L << 32) | 3, 9, 1_234);
    assertThat(OplogSlots.count(mutation)).isEqualTo(2);
    List<Stored> images = images(slots.applyTo(mutation));
    assertThat(images).containsExactly(new Stored((5L << 32) | 4, (5L << 32) | 4, 0, 1_234));
  }

  /** An entry of several operations takes a timestamp for each record id, and has the last. */
  @Test
  void theImagesOfOneEntryHaveRecordIdsOfTheirOwn() {
    Mutation mutation =
        new MutationBuilder()
            .oplogEntry(ENTRY)
            .preImage(new PreImage(9, 0, 0, new byte[150]))
            .preImage(new PreImage(9, 0, 3, new byte[150]))
            .oplogEntry(ENTRY)
            .oplogEntry(ENTRY)
            .preImage(new PreImage(9, 2, 1, new byte[150]))
            .build();
    var slots = new OplogSlots(100, 9, 1_234);
    assertThat(OplogSlots.count(mutation)).isEqualTo(7);
    assertThat(slots.lastOf(mutation)).isEqualTo(106);
    Mutation stamped = slots.applyTo(mutation);
    assertThat(OplogSlots.sizeBytes(mutation)).isEqualTo(stamped.sizeBytes());
    assertThat(images(stamped))
        .containsExactly(
            new Stored(103, 103, 0, 1_234),
            new Stored(100, 103, 3, 1_234),
            new Stored(105, 106, 1, 1_234));
    assertThat(oplogTimes(stamped)).containsExactly(103L, 104L, 106L);
  }

  @Test
  void imagesThatAreTakenBackAreNotStored() {
    var builder = new MutationBuilder().oplogEntry(ENTRY).preImage(9, new byte[200]);
    int bytes = builder.sizeBytes();
    MutationBuilder.Position before = builder.position();
    builder.oplogEntry(ENTRY).preImage(9, new byte[300]).truncate(before);
    assertThat(builder.sizeBytes()).isEqualTo(bytes);
    assertThat(builder.build().preImages()).hasSize(1);
    builder.reset();
    assertThat(builder.build().preImages()).isEmpty();
  }

  private record Stored(long recordId, long timestamp, long position, long wallMillis) {}

  private static List<Stored> images(Mutation stamped) {
    var images = new ArrayList<Stored>();
    var changes = new BatchReader(stamped);
    while (changes.next()) {
      if (changes.keyspace() == Keyspace.RECORDS) {
        assertThat(RecordKeys.ident(changes.bytes(), changes.keyOffset())).isEqualTo(9);
        int value = changes.valueOffset();
        images.add(
            new Stored(
                RecordKeys.recordId(changes.bytes(), changes.keyOffset() + RecordKeys.IDENT_BYTES),
                LittleEndian.int64(changes.bytes(), value + 46),
                LittleEndian.int64(changes.bytes(), value + 69),
                LittleEndian.int64(changes.bytes(), value + 93)));
      }
    }
    return images;
  }

  private static List<Long> oplogTimes(Mutation stamped) {
    var times = new ArrayList<Long>();
    var changes = new BatchReader(stamped);
    while (changes.next()) {
      if (changes.keyspace() == Keyspace.OPLOG) {
        times.add(RecordKeys.recordId(changes.bytes(), changes.keyOffset()));
      }
    }
    return times;
  }
}
