package dev.wisent.tools.backup;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A backup that is complete.
 *
 * @param id the time of its beginning, which sorts
 * @param time the same for people
 * @param parent the backup before it; empty for the first one
 * @param tool the version that made it
 * @param fetchedBytes what was not in the directory already
 * @param parts one, or those of a cluster, the config servers first
 */
record BackupManifest(
    String id, String time, String parent, String tool, long fetchedBytes, List<BackupPart> parts) {
  BackupManifest {
    parts = List.copyOf(parts);
  }

  Stream<StoredFile> files() {
    return parts.stream().flatMap(part -> part.files().stream());
  }

  long bytes() {
    return parts.stream().mapToLong(BackupPart::bytes).sum();
  }

  Optional<BackupPart> part(String name) {
    return parts.stream().filter(part -> part.name().equals(name)).findFirst();
  }

  List<String> partNames() {
    return parts.stream().map(BackupPart::name).toList();
  }
}
