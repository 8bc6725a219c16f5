package dev.wisent.tools.backup;

import dev.wisent.tools.command.Messages;
import dev.wisent.tools.command.Progress;
import dev.wisent.tools.command.Surroundings;
import dev.wisent.tools.command.ToolException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads the files of backups and compares them with their manifests. For one thread. */
final class BackupCheck {
  private final BackupDirectory directory;
  private final Surroundings surroundings;
  private final Messages messages;

  private record Use(StoredFile file, BackupManifest backup) {}

  BackupCheck(BackupDirectory directory, Surroundings surroundings, Messages messages) {
    this.directory = directory;
    this.surroundings = surroundings;
    this.messages = messages;
  }

  /** Each file once. Names all that are damaged, and fails then. */
  void verify(List<BackupManifest> backups) throws IOException, ToolException {
    Map<String, Use> uses = new LinkedHashMap<>();
    for (BackupManifest backup : backups) {
      backup.files().forEach(file -> uses.putIfAbsent(file.stored(), new Use(file, backup)));
    }
    long total = uses.values().stream().mapToLong(use -> use.file.bytes()).sum();
    int damaged = 0;
    try (Progress progress = Progress.ofBytes(surroundings, messages, "verify", total)) {
      for (Use use : uses.values()) {
        String damage = check(use);
        if (damage != null) {
          messages.warn(damage);
          damaged++;
        }
        progress.add(use.file.bytes());
      }
    }
    if (damaged > 0) {
      throw ToolException.failed(damaged + " file(s) are damaged or missing");
    }
    messages.say(
        "%d backup(s) with %d file(s) are as they were made"
            .formatted(backups.size(), uses.size()));
  }

  /** Null for a file that is all right. */
  private String check(Use use) throws IOException, ToolException {
    Path path = directory.file(use.file.stored());
    String damage = Damage.ofLength(path, use.file, use.backup);
    if (damage != null) {
      return damage;
    }
    String sha256 = Digests.of(path, surroundings.interruption());
    return sha256.equals(use.file.sha256()) ? null : Damage.content(path, use.file, use.backup);
  }
}
