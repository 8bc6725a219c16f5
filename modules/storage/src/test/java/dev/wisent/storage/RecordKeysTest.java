package dev.wisent.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class RecordKeysTest {
  @Test
  void recordKeysAreOrderedByIdentThenRecordId() {
    byte[][] keys = {
      RecordKeys.recordKey(1, 0),
      RecordKeys.recordKey(1, 1),
      RecordKeys.recordKey(1, 256),
      RecordKeys.recordKey(1, Long.MAX_VALUE),
      RecordKeys.recordKey(2, 0),
      RecordKeys.recordKey(0x01000000, 0),
    };
    for (int i = 1; i < keys.length; i++) {
      assertThat(Arrays.compareUnsigned(keys[i - 1], keys[i])).isNegative();
    }
    assertThat(RecordKeys.ident(keys[5])).isEqualTo(0x01000000);
    assertThat(RecordKeys.recordId(keys[3])).isEqualTo(Long.MAX_VALUE);
    assertThat(keys[2]).containsExactly(0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0);
  }

  @Test
  void boundsOfAnIdentEncloseItsKeysOnly() {
    byte[] lower = RecordKeys.lowerBound(7);
    byte[] upper = RecordKeys.upperBound(7);
    assertThat(Arrays.compareUnsigned(lower, RecordKeys.recordKey(7, 0))).isNegative();
    assertThat(Arrays.compareUnsigned(upper, RecordKeys.recordKey(7, -1))).isPositive();
    assertThat(Arrays.compareUnsigned(upper, RecordKeys.recordKey(8, 0))).isNegative();
    assertThat(Arrays.compareUnsigned(lower, RecordKeys.recordKey(6, -1))).isPositive();
    assertThat(RecordKeys.upperBound(-1)).isNull();
  }

  @Test
  void prefixUpperBoundCarries() {
    assertThat(RecordKeys.prefixUpperBound(new byte[] {1, 2})).containsExactly(1, 3);
    assertThat(RecordKeys.prefixUpperBound(new byte[] {1, -1})).containsExactly(2);
    assertThat(RecordKeys.prefixUpperBound(new byte[] {127})).containsExactly(-128);
    assertThat(RecordKeys.prefixUpperBound(new byte[] {-1, -1})).isNull();
    assertThat(RecordKeys.prefixUpperBound(new byte[0])).isNull();
  }
}
