package dev.wisent.server.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import org.junit.jupiter.api.Test;

class SampleBufferTest {
  private static RawDocument sample(int bytes) {
    return new BsonBuilder().appendString("s", "x".repeat(bytes)).toDocument();
  }

  @Test
  void whatDoesNotFitIsDropped() {
    var buffer = new SampleBuffer();
    assertThat(buffer.add(sample(2 << 20))).as("larger than a sample may be").isFalse();
    int kept = 0;
    while (buffer.add(sample(900_000))) {
      kept++;
    }
    assertThat(kept).isEqualTo(18);
    assertThat(buffer.dropped()).isEqualTo(2);
    buffer.remove(1);
    assertThat(buffer.add(sample(900_000))).isTrue();
    assertThat(buffer.oldest(100)).hasSize(18);
    assertThat(buffer.oldest(5)).hasSize(5);
  }

  @Test
  void smallOnesAreCounted() {
    var buffer = new SampleBuffer();
    for (int i = 0; i < 6_000; i++) {
      buffer.add(sample(1));
    }
    assertThat(buffer.dropped()).isEqualTo(1_000);
  }
}
