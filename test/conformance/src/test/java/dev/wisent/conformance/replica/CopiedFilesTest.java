package dev.wisent.conformance.replica;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Copies of data directories of servers that run, shortly; {@code LongCopiedFilesTest} goes on. */
class CopiedFilesTest {
  private static final int WRITES = 100;
  private static final int ROUNDS = 1;

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
