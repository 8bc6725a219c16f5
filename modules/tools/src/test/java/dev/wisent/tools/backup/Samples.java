package dev.wisent.tools.backup;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.bson.BsonDocument;

/** Backups without a server. */
final class Samples {
  private Samples() {}

  /** An identity as servers make them. */
  static String identity(int number) {
    return "%040x".formatted(number);
  }

  /** Puts a table file into the directory. */
  static StoredFile table(BackupDirectory directory, int number, String contents)
      throws IOException {
    byte[] bytes = contents.getBytes(StandardCharsets.UTF_8);
    Path part = directory.part("sample");
    Files.write(part, bytes);
    String stored = BackupNames.stored(identity(number));
    directory.keep(part, stored);
    return new StoredFile(
        "data/%06d.sst".formatted(number), bytes.length, Digests.of(bytes), stored);
  }

  static BackupManifest manifest(String id, StoredFile... files) {
    var part = new BackupPart("server", new BsonDocument(), List.of(files));
    return new BackupManifest(id, id, "", "test", 0, List.of(part));
  }
}
