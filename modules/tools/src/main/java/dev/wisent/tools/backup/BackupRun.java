package dev.wisent.tools.backup;

import dev.wisent.tools.backup.OpenState.RemoteFile;
import dev.wisent.tools.command.Messages;
import dev.wisent.tools.command.Progress;
import dev.wisent.tools.command.Surroundings;
import dev.wisent.tools.command.ToolException;
import dev.wisent.tools.command.Workers;
import java.io.IOException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.bson.BsonDocument;
import org.bson.BsonString;

/** Makes a backup of states that servers have fixed. For one thread, which starts others. */
final class BackupRun {
  private static final int THREADS = 4;
  private static final double MIB = 1 << 20;
  private static final double NANOS = 1e9;
  private static final String SET = "setName";

  /** RocksDB writes it once, when a store is made. */
  private static final String STORE_IDENTITY = "data/IDENTITY";

  private static final DateTimeFormatter ID =
      DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss").withZone(ZoneOffset.UTC);

  private final BackupDirectory directory;
  private final Surroundings surroundings;
  private final Messages messages;

  BackupRun(BackupDirectory directory, Surroundings surroundings, Messages messages) {
    this.directory = directory;
    this.surroundings = surroundings;
    this.messages = messages;
  }

  /** Returns when the backup is complete. */
  BackupManifest run(List<OpenState> states) throws ToolException, IOException {
    long startNanos = surroundings.clock().monotonicNanos();
    Instant now = Instant.ofEpochMilli(surroundings.clock().wallMillis());
    List<BackupManifest> earlier = directory.all();
    checkOrigin(states, earlier);
    directory.removeUnused(identified(states));
    Map<String, StoredFile> known = new HashMap<>();
    earlier.forEach(each -> each.files().forEach(file -> known.put(file.stored(), file)));
    long total = states.stream().mapToLong(OpenState::bytes).sum();
    List<BackupPart> parts = new ArrayList<>();
    FileFetch fetch;
    try (Progress progress = Progress.ofBytes(surroundings, messages, "backup", total)) {
      fetch = new FileFetch(directory, known, progress, surroundings.interruption());
      for (OpenState state : states) {
        parts.add(new BackupPart(state.part(), state.origin(), fetch(state, fetch)));
      }
    }
    messages.say(1, "all files are there");
    directory.sync();
    var manifest =
        new BackupManifest(
            newId(now, earlier),
            now.truncatedTo(ChronoUnit.SECONDS).toString(),
            earlier.isEmpty() ? "" : earlier.getLast().id(),
            surroundings.version(),
            fetch.fetchedBytes(),
            parts);
    directory.add(manifest);
    double seconds = (surroundings.clock().monotonicNanos() - startNanos) / NANOS;
    messages.say(
        "backup %s is complete: %d file(s); %.1f MiB fetched, %.1f MiB reused, %.1f s, %.1f MiB/s"
            .formatted(
                manifest.id(),
                manifest.files().count(),
                fetch.fetchedBytes() / MIB,
                fetch.reusedBytes() / MIB,
                seconds,
                fetch.fetchedBytes() / MIB / Math.max(seconds, 1e-3)));
    directory.removeUnused(Set.of());
    return manifest;
  }

  /** What is wanted again of a run that was interrupted. All else that it has left takes space. */
  private static Set<String> identified(List<OpenState> states) {
    return states.stream()
        .flatMap(state -> state.files().stream())
        .filter(file -> file.identity() != null)
        .map(file -> BackupNames.stored(file.identity()))
        .collect(Collectors.toSet());
  }

  private List<StoredFile> fetch(OpenState state, FileFetch fetch) throws ToolException {
    StoredFile[] stored = new StoredFile[state.files().size()];
    List<Workers.Task> tasks = new ArrayList<>();
    for (int i = 0; i < stored.length; i++) {
      int number = i;
      RemoteFile file = state.files().get(i);
      tasks.add(() -> stored[number] = fetch.fetch(state, file));
    }
    Workers.run(surroundings.scheduler(), "backup", THREADS, tasks);
    return List.of(stored);
  }

  /** The times of backups go up even where the clock does not. */
  private static String newId(Instant now, List<BackupManifest> earlier) {
    String last = earlier.isEmpty() ? "" : earlier.getLast().id();
    Instant time = now;
    while (ID.format(time).compareTo(last) <= 0) {
      time = time.plusSeconds(1);
    }
    return ID.format(time);
  }

  /** Backups of other data would be taken for older states of this one. */
  private void checkOrigin(List<OpenState> states, List<BackupManifest> earlier)
      throws ToolException {
    if (earlier.isEmpty()) {
      return;
    }
    BackupManifest last = earlier.getLast();
    for (OpenState state : states) {
      checkStandalone(state, last);
      BsonDocument before = last.part(state.part()).map(BackupPart::origin).orElse(null);
      if (last.parts().size() != states.size()
          && (states.size() == 1 || last.parts().size() == 1)) {
        before = null;
      }
      boolean same =
          before != null
              && set(before).equals(set(state.origin()))
              && before
                  .get("logGroup", new BsonString(""))
                  .equals(state.origin().get("logGroup", new BsonString("")));
      if (!same && !isNewShard(last, state)) {
        throw ToolException.failed(
            "%s has backups of %s: take another directory for %s"
                .formatted(directory.root(), last.partNames(), state.part()));
      }
    }
  }

  /** A standalone has no name, but its store has an identity, whatever its address is. */
  private void checkStandalone(OpenState state, BackupManifest last) throws ToolException {
    BackupPart before = last.part(state.part()).orElse(null);
    if (before == null || !set(before.origin()).isEmpty() || !set(state.origin()).isEmpty()) {
      return;
    }
    Optional<String> known =
        before.files().stream()
            .filter(file -> file.name().equals(STORE_IDENTITY))
            .map(StoredFile::sha256)
            .findFirst();
    boolean told = state.files().stream().anyMatch(file -> file.name().equals(STORE_IDENTITY));
    String host = BackupPart.host(state.origin());
    boolean same =
        (known.isPresent() && told)
            ? Digests.of(
                    state.member().read(state.id(), STORE_IDENTITY, 0, surroundings.interruption()))
                .equals(known.get())
            : before.host().equals(host);
    if (!same) {
      throw ToolException.failed(
          "%s has backups of another server, which was %s: take another directory for %s"
              .formatted(directory.root(), before.host(), host));
    }
  }

  private static boolean isNewShard(BackupManifest last, OpenState state) {
    return last.parts().size() > 1 && last.part(state.part()).isEmpty();
  }

  private static String set(BsonDocument origin) {
    return origin.getString(SET, new BsonString("")).getValue();
  }
}
