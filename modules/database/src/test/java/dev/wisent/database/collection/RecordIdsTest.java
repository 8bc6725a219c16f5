package dev.wisent.database.collection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.database.TestDatabase;
import java.nio.file.Path;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecordIdsTest {
  private TestDatabase database;

  @BeforeEach
  void open(@TempDir Path directory) {
    database = TestDatabase.open(directory);
    database.insert(
        IntStream.rangeClosed(1, 5).mapToObj(i -> "{_id: " + i + "}").toArray(String[]::new));
  }

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void idsGoOnAfterARestart() {
    database.reopen();

    assertThat(database.collection().recordIds().next()).isEqualTo(6);
  }

  @Test
  void theIdOfADeletedRecordIsNotGivenOutAgain() {
    database.delete("{_id: {$gte: 3}}", true);
    database.reopen();

    assertThat(database.collection().recordIds().next()).isGreaterThan(5);
    database.delete("{}", true);
    database.reopen();

    assertThat(database.collection().recordIds().next()).isGreaterThan(6);
  }

  @Test
  void aMarkStandsForAllIdsOfItsBlock() {
    RecordIds ids = database.collection().recordIds();
    assertThat(ids.isMarked(2)).isFalse();

    database.delete("{_id: 2}", true);

    assertThat(ids.isMarked(2)).isTrue();
    assertThat(ids.isMarked(5)).isTrue();
    assertThat(ids.isMarked(1 << 20)).isFalse();
  }
}
