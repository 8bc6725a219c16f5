package dev.wisent.conformance.replica;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Many copies of data directories of servers that run. */
@Tag("faults")
class LongCopiedFilesTest {
  private static final int WRITES = 2000;
  private static final int ROUNDS = 4;

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path directory;

  private CopiedFiles files() {
    return new CopiedFiles(directory, WRITES, ROUNDS);
  }

  @Test
  void snapshotsOfStandalone() throws Exception {
    files().snapshotsOfStandalone();
  }

  @Test
  void snapshotsOfMembers() throws Exception {
    files().snapshotsOfMembers();
  }

  @Test
  void copiesOfLockedStandalone() throws Exception {
    files().copiesOfLockedStandalone();
  }

  @Test
  void copiesOfLockedMember() throws Exception {
    files().copiesOfLockedMember();
  }
}
