package dev.wisent.storage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.rocksdb.LiveFileMetaData;
import org.rocksdb.RocksDB;

/**
 * What opening a store brought back from its log after the process before did not close it.
 *
 * @param changes keys that were put or removed: a document with two indexes is at least three
 */
public record CrashRecovery(long changes) {

  /** A store that was not closed, before it is opened. */
  record Unclosed(Set<String> files) {
    static Optional<Unclosed> find(DataDirectory directory) throws IOException {
      return directory.hasOwner()
          ? Optional.of(new Unclosed(tableFiles(directory.data())))
          : Optional.empty();
    }

    /** Everything past the newest change of the files that were there came from the log. */
    CrashRecovery opened(RocksDB db) {
      long flushed = 0;
      for (LiveFileMetaData file : db.getLiveFilesMetaData()) {
        if (files.contains(Path.of(file.fileName()).getFileName().toString())) {
          flushed = Math.max(flushed, file.largestSeqno());
        }
      }
      return new CrashRecovery(Math.max(0, db.getLatestSequenceNumber() - flushed));
    }

    private static Set<String> tableFiles(Path database) throws IOException {
      if (!Files.isDirectory(database)) {
        return Set.of();
      }
      try (Stream<Path> files = Files.list(database)) {
        return files
            .map(file -> file.getFileName().toString())
            .filter(name -> name.endsWith(".sst"))
            .collect(Collectors.toSet());
      }
    }
  }
}
