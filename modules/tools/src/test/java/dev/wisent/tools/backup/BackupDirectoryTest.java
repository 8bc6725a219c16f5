package dev.wisent.tools.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.wisent.tools.command.ToolException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is removed from a backup directory, and what never is. */
class BackupDirectoryTest {
  @TempDir Path temporary;
  private Backups backups;

  @BeforeEach
  void create() {
    backups = new Backups(temporary.resolve("made/backups"));
  }

  private void makeTwo() throws ToolException, IOException {
    try (BackupDirectory directory = BackupDirectory.openOrCreate(backups.directory())) {
      StoredFile both = Samples.table(directory, 1, "both");
      directory.add(Samples.manifest("20260101-000000", both, Samples.table(directory, 2, "old")));
      directory.add(Samples.manifest("20260102-000000", both, Samples.table(directory, 3, "new")));
    }
  }

  private Path stored(int number) {
    return backups
        .directory()
        .resolve("files/00")
        .resolve(BackupNames.stored(Samples.identity(number)));
  }

  private void refusesToPrune(String why) {
    assertThatThrownBy(() -> backups.run("prune", "DIR", "--keep=1"))
        .isInstanceOf(ToolException.class)
        .hasMessageStartingWith("no backup is removed: ")
        .hasMessageContaining(why);
    assertThat(backups.directory().resolve("backups/20260101-000000.json")).exists();
    assertThat(stored(2)).exists();
  }

  @Test
  void nothingIsPrunedWhenAManifestThatStaysIsDamaged() throws ToolException, IOException {
    makeTwo();
    Files.writeString(backups.directory().resolve("backups/20260102-000000.json"), "{");
    refusesToPrune("20260102-000000.json is damaged");
  }

  @Test
  void nothingIsPrunedWhenAFileOfWhatStaysIsDamaged() throws ToolException, IOException {
    makeTwo();
    Files.writeString(stored(3), "newer");
    refusesToPrune("it has 5 bytes, and had 3");
    Files.delete(stored(3));
    refusesToPrune("is missing");
  }

  @Test
  void aDamagedBackupCanBePruned() throws ToolException, IOException {
    makeTwo();
    Files.writeString(backups.directory().resolve("backups/20260101-000000.json"), "{");
    assertThat(backups.run("prune", "DIR", "--keep=1")).contains("1 backup(s) removed, 1 left");
    assertThat(stored(1)).exists();
    assertThat(stored(2)).doesNotExist();
    assertThat(stored(3)).exists();
  }

  @Test
  void aDirectoryWithoutABackupIsPruned() throws ToolException {
    BackupDirectory.openOrCreate(backups.directory()).close();
    assertThat(backups.run("prune", "DIR", "--keep=1")).contains("0 backup(s) removed, 0 left");
  }

  @Test
  void filesOfNoBackupAreRemovedUnlessTheyAreWanted() throws ToolException, IOException {
    makeTwo();
    try (BackupDirectory directory = BackupDirectory.open(backups.directory())) {
      StoredFile wanted = Samples.table(directory, 4, "wanted");
      Samples.table(directory, 5, "left");
      directory.removeUnused(Set.of(wanted.stored()));
    }
    for (int kept = 1; kept <= 4; kept++) {
      assertThat(stored(kept)).exists();
    }
    assertThat(stored(5)).doesNotExist();
  }

  @Test
  void aNewDirectoryIsOnlyForItsOwner() throws ToolException, IOException {
    BackupDirectory.openOrCreate(backups.directory()).close();
    assumeTrue(Files.getFileStore(temporary).supportsFileAttributeView("posix"));
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(backups.directory())))
        .isEqualTo("rwx------");
  }
}
