package dev.wisent.tools.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.Wisent;
import dev.wisent.tools.ToolHarness;
import dev.wisent.tools.backup.OpenState.RemoteFile;
import dev.wisent.tools.command.Messages;
import dev.wisent.tools.command.Progress;
import dev.wisent.tools.command.Surroundings;
import dev.wisent.tools.command.ToolException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a server says of its files is not trusted. */
class FileFetchTest {
  @TempDir Path temporary;
  private BackupDirectory directory;
  private StoredFile known;
  private FileFetch fetch;

  @BeforeEach
  void open() throws ToolException, IOException {
    directory = BackupDirectory.openOrCreate(temporary.resolve("backups"));
    known = Samples.table(directory, 1, "known");
    Surroundings surroundings = new ToolHarness().surroundings();
    var messages = new Messages(surroundings.err(), 0);
    fetch =
        new FileFetch(
            directory,
            Map.of(known.stored(), known),
            Progress.ofBytes(surroundings, messages, "backup", 0),
            surroundings.interruption());
  }

  @AfterEach
  void close() throws ToolException {
    directory.close();
  }

  /** A state of no server: nothing is read of it. */
  private static OpenState unread() {
    return new OpenState(null, "server", new BsonInt64(1), new BsonDocument(), List.of());
  }

  private void refuses(RemoteFile file, String why) throws IOException {
    assertThatThrownBy(() -> fetch.fetch(unread(), file))
        .isInstanceOf(ToolException.class)
        .hasMessageContaining(why);
    assertThat(Files.readString(directory.file(known.stored()))).isEqualTo("known");
  }

  @Test
  void identitiesOfAnotherFormAreRefused() throws IOException {
    for (String identity :
        List.of("", "../../../x", "A".repeat(40), "a".repeat(39), "a".repeat(41), "/".repeat(40))) {
      refuses(new RemoteFile("data/000001.sst", 5, identity), "impossible identity");
    }
  }

  @Test
  void namesAndSizesOfAnotherFormAreRefused() throws IOException {
    refuses(new RemoteFile("../x", 5, null), "outside of its data directory");
    refuses(new RemoteFile("data/x", -1, null), "negative size");
  }

  @Test
  void aStoredFileOfAnotherLengthIsNotReplaced() throws IOException {
    refuses(new RemoteFile("data/000001.sst", 6, Samples.identity(1)), "other contents");
  }

  @Test
  void aStoredFileIsOnlyRepairedWithTheSameContents() throws ToolException, IOException {
    var harness = new ToolHarness();
    try (Wisent server = Wisent.start();
        OpenState state = Backups.state(server.uri())) {
      RemoteFile format =
          state.files().stream().filter(f -> f.name().equals("wisent.format")).findFirst().get();
      Path stored = directory.file(BackupNames.stored(Samples.identity(2)));
      StoredFile before = Samples.table(directory, 2, "x".repeat((int) format.bytes()));
      Files.writeString(stored, "cut");
      Surroundings surroundings = harness.surroundings();
      var again =
          new FileFetch(
              directory,
              Map.of(before.stored(), before),
              Progress.ofBytes(surroundings, new Messages(surroundings.err(), 0), "backup", 0),
              surroundings.interruption());
      var claimed = new RemoteFile(format.name(), format.bytes(), Samples.identity(2));
      assertThatThrownBy(() -> again.fetch(state, claimed)).hasMessageContaining("other contents");
      assertThat(Files.readString(stored)).isEqualTo("cut");
      // A file that no backup has is stored.
      var unknown = new RemoteFile(format.name(), format.bytes(), Samples.identity(3));
      assertThat(again.fetch(state, unknown).stored())
          .isEqualTo(BackupNames.stored(Samples.identity(3)));
    }
  }
}
