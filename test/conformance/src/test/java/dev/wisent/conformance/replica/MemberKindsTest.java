package dev.wisent.conformance.replica;

import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.TestInstance;

/**
 * Members and sets that change. To start four processes takes longer than most of the tests, so all
 * of them use the same set, and each leaves it with the first three as equals.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
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
  class Kinds extends MemberKindCases {
    Kinds() {
      super(set);
    }
  }

  @Nested
  class Conduct extends MemberConductCases {
    Conduct() {
      super(set);
    }
  }

  @Nested
  class Changes extends SetChangeCases {
    Changes() {
      super(set);
    }
  }
}
