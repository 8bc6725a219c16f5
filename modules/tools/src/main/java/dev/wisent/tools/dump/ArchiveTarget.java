package dev.wisent.tools.dump;

import dev.wisent.base.disk.OnDisk;
import dev.wisent.tools.format.ArchivePrelude;
import dev.wisent.tools.format.ArchivePrelude.Entry;
import dev.wisent.tools.format.ArchiveWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** One archive, whose header names all collections before the first document. */
final class ArchiveTarget implements DumpTarget {
  private final ArchiveWriter writer;
  private final String name;
  private final Path file;

  /**
   * @param file null for standard output
   */
  ArchiveTarget(
      OutputStream out,
      Path file,
      List<SourceCollection> collections,
      int parallel,
      String serverVersion,
      String toolVersion)
      throws IOException {
    this.file = file;
    this.name = file == null ? "standard output" : file.toString();
    this.writer =
        new ArchiveWriter(
            out,
            new ArchivePrelude(
                parallel,
                serverVersion,
                toolVersion,
                true,
                collections.stream().map(ArchiveTarget::entry).toList()));
  }

  private static Entry entry(SourceCollection collection) {
    return new Entry(
        collection.target(),
        collection.targetName(),
        collection.isOplog() ? "" : collection.metadata().toJson(),
        collection.metadata().type(),
        0);
  }

  @Override
  public void metadata(SourceCollection collection) {}

  @Override
  public OutputStream open(SourceCollection collection) {
    return writer.open(collection.target(), collection.targetName());
  }

  /** Without its end in the archive it is not complete. */
  @Override
  public void abandon(SourceCollection collection, OutputStream out) {}

  /** The end of each collection says so. */
  @Override
  public void complete() {}

  @Override
  public String describe(SourceCollection collection) {
    return name;
  }

  @Override
  public void close() throws IOException {
    writer.close();
    if (file != null && Files.isRegularFile(file)) {
      OnDisk.force(file);
    }
  }
}
