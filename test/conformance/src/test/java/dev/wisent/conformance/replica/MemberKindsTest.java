package dev.wisent.conformance.replica;

import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Members and sets that change. To start four processes takes longer than most of the tests, so all
 * of them use the same set, and each leaves it with the first three as equals.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Execution(ExecutionMode.CONCURRENT)
class MemberKindsTest {
  private ChangingSet set;

  @BeforeAll
  void start() throws IOException {
    set = new ChangingSet();
  }

  @AfterEach
  void threeEquals() {
    set.threeEquals();
  }

  @AfterAll
  void stop() throws IOException {
    if (set != null) {
      set.close();
    }
  }

  @Nested
  @Execution(ExecutionMode.SAME_THREAD)
  class Kinds extends MemberKindCases {
    Kinds() {
      super(set);
    }
  }

  @Nested
  @Execution(ExecutionMode.SAME_THREAD)
  class Conduct extends MemberConductCases {
    Conduct() {
      super(set);
    }
  }

  @Nested
  @Execution(ExecutionMode.SAME_THREAD)
  class Changes extends SetChangeCases {
    Changes() {
      super(set);
    }
  }
}
