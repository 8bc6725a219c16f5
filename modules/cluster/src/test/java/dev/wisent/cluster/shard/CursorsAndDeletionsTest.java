package dev.wisent.cluster.shard;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Random cursors, changes and deletions on a set of three, for long. */
@Tag("faults")
class CursorsAndDeletionsTest {
  private static final int MEMBERS = 3;
  private static final int STEPS = 1500;

  @Test
  void everyCursorGivesWhatWasOwnedWhenItWasOpened(@TempDir Path directory) {
    try (var shard = new TestShard(directory, MEMBERS)) {
      shard.identify();
      shard.ownDatabase(1);
      new RandomCursors(shard, MEMBERS, 0).run(STEPS);
    }
  }

  @Test
  void cursorsAreReadWhileRangesGo(@TempDir Path directory) throws Exception {
    try (var shard = new TestShard(directory, MEMBERS)) {
      shard.identify();
      shard.ownDatabase(1);
      new ConcurrentCursors(shard, MEMBERS).run(STEPS / 5, 2);
    }
  }
}
