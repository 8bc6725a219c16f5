package dev.wisent.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LatencyHistogramTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "1, 0",
    "2, 2",
    "3, 2",
    "4, 4",
    "1023, 512",
    "1024, 1024",
    "2047, 1024",
    "2048, 2048",
    "3071, 2048",
    "3072, 3072",
    "4095, 3072",
    "4096, 4096",
    "6144, 6144",
    "1572863, 1048576",
    "1572864, 1572864",
    "2097151, 1572864",
    "2097152, 2097152",
    "4194303, 2097152",
    "4194304, 4194304",
    "1099511627775, 549755813888",
    "1099511627776, 1099511627776",
    "9223372036854775807, 1099511627776"
  })
  void eachTimeHasItsBucket(long micros, long from) {
    assertThat(LatencyHistogram.fromMicros(LatencyHistogram.bucket(micros))).isEqualTo(from);
  }

  @Test
  void bucketsFollowEachOther() {
    for (int bucket = 1; bucket < 51; bucket++) {
      long from = LatencyHistogram.fromMicros(bucket);
      assertThat(LatencyHistogram.bucket(from)).isEqualTo(bucket);
      assertThat(LatencyHistogram.bucket(from - 1)).isEqualTo(bucket - 1);
    }
  }

  @Test
  void tellsWhatItHas() {
    var histogram = new LatencyHistogram();
    for (long micros : new long[] {5, 7, 4000, 0}) {
      histogram.add(micros);
    }
    assertThat(histogram.operations()).isEqualTo(4);
    assertThat(histogram.micros()).isEqualTo(4012);
    List<String> buckets = new ArrayList<>();
    histogram.forEachBucket(
        (index, from, count) -> buckets.add(index + ": " + from + " x " + count));
    assertThat(buckets).containsExactly("0: 0 x 1", "1: 4 x 2", "2: 3072 x 1");
  }
}
