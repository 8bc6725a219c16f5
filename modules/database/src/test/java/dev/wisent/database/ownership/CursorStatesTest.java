package dev.wisent.database.ownership;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.database.TestDatabase;
import dev.wisent.database.exec.CursorState;
import dev.wisent.storage.FixedView;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Cursors that are opened while a change of the tables is under way. */
class CursorStatesTest {
  /** What was written since the change was announced was read in the first batch. */
  @Test
  void aCursorDoesNotGoBackToTheStateBeforeItWasOpened(@TempDir Path directory) {
    try (TestDatabase test = TestDatabase.open(directory)) {
      CursorStates states = test.database().ownership().cursorStates();
      states.around(
          () -> {
            test.insert("{_id: 1}");
            FixedView first = test.engine().snapshot();
            long sequence = first.sequence();
            try (CursorState cursor = states.register(TestDatabase.NAMESPACE, first)) {
              first.close();
              try (FixedView next = cursor.view()) {
                assertThat(next.sequence()).isGreaterThanOrEqualTo(sequence);
              }
            }
          });
    }
  }
}
