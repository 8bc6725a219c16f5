package dev.wisent.database.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.base.Clock;
import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.RandomSource;
import dev.wisent.database.NodeDatabase;
import dev.wisent.database.TestDatabase;
import dev.wisent.database.Workers;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.backup.Backups;
import dev.wisent.operation.backup.OpenBackup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What ends a backup that waits for its cluster time, or changes the node meanwhile. The log gives
 * each mutation a second of its own; the test is the thread that applies it.
 */
class NodeBackupsTest {
  private static final long LATER = 100L << 32;

  @TempDir Path directory;
  private TestDatabase database;
  private NodeBackups backups;
  private volatile boolean left;

  @BeforeEach
  void open() {
    database = TestDatabase.openWithOplog(directory.resolve("data"));
    database.create("{}");
    database.insert("{_id: 1}");
    backups =
        NodeBackups.open(NodeDatabase.standalone(database.database()), Clock.system(), () -> false);
  }

  @AfterEach
  void close() {
    backups.discardAll();
    database.close();
  }

  private OperationContext operation() {
    return new OperationContext(Clock.system(), RandomSource.system(), () -> left);
  }

  /** Begins a backup of a later time, and returns when it waits for that. */
  private CompletableFuture<OpenBackup> waiting(OperationContext operation) {
    CompletableFuture<OpenBackup> begun =
        CompletableFuture.supplyAsync(
            () -> backups.begin(operation, LATER), task -> Thread.ofPlatform().start(task));
    Workers.await("it waits", () -> operation.isWaitingForLock() || begun.isDone());
    assertThat(begun).isNotDone();
    return begun;
  }

  /** The next entry of the log is of a time after that of the backup. */
  private void pass() {
    database.database().snapshots().crossings().reaching(LATER + 1);
  }

  private static OpenBackup outcome(CompletableFuture<OpenBackup> begun) {
    try {
      return begun.orTimeout(60, TimeUnit.SECONDS).join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof CommandException cause ? cause : e;
    }
  }

  private void fails(CompletableFuture<OpenBackup> begun, ErrorCode code) throws IOException {
    assertThatThrownBy(() -> outcome(begun))
        .isInstanceOfSatisfying(CommandException.class, e -> assertThat(e.code()).isEqualTo(code));
    pass();
    assertThat(files()).as("files of the backup").isEmpty();
    for (int i = 0; i < NodeBackups.OPEN_MAX; i++) {
      backups.begin(operation(), Backups.NOW);
    }
  }

  private List<Path> files() throws IOException {
    Path open = directory.resolve("data/_backup");
    if (!Files.exists(open)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(open)) {
      return files.toList();
    }
  }

  @Test
  void aWaitEndsAtItsLimit() throws IOException {
    OperationContext operation = operation();
    operation.limitMillis(1);
    var begun =
        CompletableFuture.supplyAsync(
            () -> backups.begin(operation, LATER), task -> Thread.ofPlatform().start(task));
    fails(begun, ErrorCode.MAX_TIME_MS_EXPIRED);
  }

  @Test
  void aWaitThatIsKilledEnds() throws IOException {
    OperationContext operation = operation();
    CompletableFuture<OpenBackup> begun = waiting(operation);
    operation.kill(ErrorCode.INTERRUPTED);
    fails(begun, ErrorCode.INTERRUPTED);
  }

  @Test
  void aWaitWhoseClientHasLeftEnds() throws IOException {
    CompletableFuture<OpenBackup> begun = waiting(operation());
    left = true;
    Workers.await("it ends", begun::isDone);
    left = false;
    fails(begun, ErrorCode.CLIENT_DISCONNECT);
  }

  /** The state of the newest time waits for nothing, but may be made when nothing reads it. */
  @Test
  void aStateThatIsFixedTooLateIsGivenUp() throws IOException {
    OperationContext operation = operation();
    operation.kill(ErrorCode.INTERRUPTED);
    assertThatThrownBy(() -> backups.begin(operation, Backups.NOW))
        .isInstanceOf(CommandException.class);
    assertThat(files()).isEmpty();
  }

  @Test
  void aStepDownDoesNotEndAWait() {
    CompletableFuture<OpenBackup> begun = waiting(operation());
    database.database().leadership().becomeFollower();
    long newest = newest();
    pass();
    assertThat(outcome(begun).timestamp()).isEqualTo(newest);
  }

  private long newest() {
    return database.database().catalog().oplog().newest();
  }

  /** As an initial sync does it, with what another member has. */
  private void replaceContents(int inserts) {
    Path checkpoint = directory.resolve("checkpoint");
    try (TestDatabase other = TestDatabase.openWithOplog(directory.resolve("other"))) {
      other.create("{}");
      for (int i = 0; i < inserts; i++) {
        other.insert("{_id: %d}".formatted(i));
      }
      other.engine().checkpoint(checkpoint);
    }
    database
        .database()
        .leadership()
        .replaceContents(() -> database.engine().replaceContents(checkpoint));
  }

  @Test
  void contentsThatAreReplacedMeanwhileAreBackedUp() {
    CompletableFuture<OpenBackup> begun = waiting(operation());
    long before = newest();
    replaceContents(20);
    long newest = newest();
    assertThat(newest).isGreaterThan(before).isLessThan(LATER);
    pass();
    assertThat(outcome(begun).timestamp()).isEqualTo(newest);
  }

  @Test
  void contentsThatAreTooNewAreNotBackedUp() throws IOException {
    CompletableFuture<OpenBackup> begun = waiting(operation());
    replaceContents(120);
    assertThat(newest()).isGreaterThan(LATER);
    fails(begun, ErrorCode.SNAPSHOT_TOO_OLD);
  }

  @Test
  void anInitialSyncLeavesAnOpenBackupAlone() throws IOException {
    OpenBackup open = backups.begin(operation(), Backups.NOW);
    replaceContents(3);
    for (var file : open.files()) {
      byte[] bytes = backups.read(open.id(), file.name(), 0, Backups.PART_BYTES_MAX);
      assertThat(bytes).as(file.name()).hasSize((int) file.sizeBytes());
    }
    assertThat(backups.end(open.id())).isTrue();
    assertThat(files()).isEmpty();
  }
}
