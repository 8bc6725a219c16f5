package dev.wisent.database.write;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.base.Clock;
import dev.wisent.base.RandomSource;
import dev.wisent.database.TestDatabase;
import dev.wisent.operation.OperationContext;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UpdateParsingTest {
  /** A millisecond goes by with every look at it. */
  private static final class SteppingClock implements Clock {
    private long millis = 1_700_000_000_000L;

    @Override
    public long wallMillis() {
      return millis++;
    }

    @Override
    public long monotonicNanos() {
      return 0;
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{$currentDate: {x: true, y: {$type: 'date'}}}",
        "[{$set: {x: '$$NOW'}}, {$set: {y: '$$NOW'}}]"
      })
  void allPartsOfAnUpdateSeeTheSameTime(String update, @TempDir Path directory) {
    try (TestDatabase database = TestDatabase.open(directory)) {
      database.create("{}");
      database.insert("{_id: 1}", "{_id: 2}");
      database
          .database()
          .update(
              new OperationContext(new SteppingClock(), RandomSource.system(), () -> false),
              TestDatabase.request(TestDatabase.statement("{}", update, true, false)));
      String first = "{$date: {$numberLong: '1700000000000'}}";
      assertThat(database.count("{x: " + first + ", y: " + first + "}")).isEqualTo(2);
    }
  }
}
