package dev.wisent.bench.data;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.bson.BsonDocument;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MonitoringSamplesTest {
  @ParameterizedTest
  @ValueSource(longs = {1, 7, 100, 101, 1234, 20_000})
  void countsAreThoseOfTheDocuments(long records) {
    var samples = new MonitoringSamples(42, records);
    Map<String, Long> byHost = new HashMap<>();
    Map<Long, Long> byTime = new HashMap<>();
    for (long i = 0; i < records; i++) {
      BsonDocument document = samples.document(i).bson();
      byHost.merge(document.getString(MonitoringSamples.HOST).getValue(), 1L, Long::sum);
      byTime.merge(document.getDateTime(MonitoringSamples.GENERATED_ON).getValue(), 1L, Long::sum);
    }
    assertThat(byHost).hasSize(samples.hosts());
    for (int host = 0; host < samples.hosts(); host++) {
      assertThat(byHost).containsEntry(MonitoringSamples.host(host), samples.minutes(host));
    }
    long minutes = samples.minutes(0);
    assertThat(byTime).hasSize((int) minutes);
    for (long minute = 0; minute < minutes; minute++) {
      assertThat(byTime)
          .containsEntry(
              MonitoringSamples.timeOfMinute(minute), samples.samples(minute, minute + 1));
    }
    assertThat(samples.samples(0, minutes + 5)).isEqualTo(records);
  }
}
