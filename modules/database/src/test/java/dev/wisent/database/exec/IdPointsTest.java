package dev.wisent.database.exec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.database.Finds;
import dev.wisent.database.TestDatabase;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Several ids at once, which are looked up one by one. */
class IdPointsTest {
  private static final String SOME = "{_id: {$in: [3, 'b', 1.0, 9]}}";

  @TempDir Path directory;
  private TestDatabase database;

  @BeforeEach
  void open() {
    database = TestDatabase.open(directory);
    database.create("{}");
    database.insert("{_id: 1}", "{_id: 2}", "{_id: 3}", "{_id: 'b'}", "{_id: 'c'}");
  }

  @AfterEach
  void close() {
    database.assertNothingLeaks();
    database.close();
  }

  @Test
  void thoseThatAreThereComeInOrder() {
    for (int round = 0; round < 3; round++) {
      assertThat(database.find(SOME))
          .containsExactly("{\"_id\": 1}", "{\"_id\": 3}", "{\"_id\": \"b\"}");
    }
    assertThat(database.find(Finds.of(SOME).sort("{_id: -1}").toRequest()))
        .extracting(Object::toString)
        .containsExactly("{\"_id\": \"b\"}", "{\"_id\": 3}", "{\"_id\": 1}");
  }

  @Test
  void whatIsInsertedAgainIsAnotherRecord() {
    database.find(SOME);
    database.find(SOME);
    database.delete("{_id: 3}", false);
    assertThat(database.find(SOME)).hasSize(2);
    database.insert("{_id: 3, again: true}");
    assertThat(database.find(SOME)).contains("{\"_id\": 3, \"again\": true}");
  }

  @Test
  void theKeyAloneIsEnoughForACoveredQuery() {
    assertThat(database.find(Finds.of(SOME).projection("{_id: 1}").toRequest())).hasSize(3);
  }
}
