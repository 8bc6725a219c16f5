package dev.wisent.tools.dump;

import dev.wisent.base.disk.OnDisk;
import dev.wisent.tools.format.CollectionMetadata;
import dev.wisent.tools.format.DataCheck;
import dev.wisent.tools.format.DumpFileNames;
import java.io.BufferedOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Files in directories. A file gets its name when it is complete; until then it ends with {@value
 * DumpFileNames#PART}. The directory has one more of these files until all are complete.
 */
final class DirectoryTarget implements DumpTarget {
  private static final int BUFFER_BYTES = 1 << 18;

  private final Path root;
  private final boolean gzip;
  private final Path incomplete;
  private final Set<Path> directories = ConcurrentHashMap.newKeySet();

  DirectoryTarget(Path root, boolean gzip) throws IOException {
    this.root = root;
    this.gzip = gzip;
    this.incomplete = root.resolve(DumpFileNames.INCOMPLETE);
    Files.createDirectories(root);
    if (!Files.exists(incomplete)) {
      Files.createFile(incomplete);
    }
    OnDisk.forceDirectory(root);
  }

  private Path file(SourceCollection collection, String ending) {
    Path directory = root.resolve(collection.target());
    directories.add(directory);
    // Those names are files of their own, not escaped ones.
    String name =
        collection.targetName().startsWith("$admin.")
            ? collection.targetName()
            : DumpFileNames.escape(collection.targetName());
    return directory.resolve(name + ending + (gzip ? DumpFileNames.GZIP : ""));
  }

  @Override
  public void metadata(SourceCollection collection) throws IOException {
    if (collection.isOplog()) {
      return;
    }
    write(collection, collection.metadata());
  }

  private void write(SourceCollection collection, CollectionMetadata metadata) throws IOException {
    Path file = file(collection, DumpFileNames.METADATA);
    Files.createDirectories(file.getParent());
    try (OutputStream out = stream(file)) {
      out.write(metadata.toJson().getBytes(StandardCharsets.UTF_8));
    }
    OnDisk.force(file);
  }

  private OutputStream stream(Path file) throws IOException {
    OutputStream out = Files.newOutputStream(file);
    return new BufferedOutputStream(gzip ? new Gzip(out) : out, BUFFER_BYTES);
  }

  @Override
  public OutputStream open(SourceCollection collection) throws IOException {
    Path file = file(collection, DumpFileNames.DATA);
    Files.createDirectories(file.getParent());
    return new PartFile(collection, file);
  }

  @Override
  public void abandon(SourceCollection collection, OutputStream out) throws IOException {
    ((PartFile) out).abandon();
  }

  @Override
  public void complete() throws IOException {
    for (Path directory : directories) {
      OnDisk.forceDirectory(directory);
    }
    OnDisk.delete(incomplete);
  }

  @Override
  public String describe(SourceCollection collection) {
    return file(collection, DumpFileNames.DATA).toString();
  }

  @Override
  public void close() {}

  private final class PartFile extends FilterOutputStream {
    private final SourceCollection collection;
    private final Path file;
    private final Path part;
    private final DataCheck.Sum sum = new DataCheck.Sum();

    private PartFile(SourceCollection collection, Path file) throws IOException {
      this(collection, file, file.resolveSibling(file.getFileName() + DumpFileNames.PART));
    }

    private PartFile(SourceCollection collection, Path file, Path part) throws IOException {
      super(stream(part));
      this.collection = collection;
      this.file = file;
      this.part = part;
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      sum.add(bytes, offset, length);
      out.write(bytes, offset, length);
    }

    private void abandon() throws IOException {
      out.close();
    }

    @Override
    public void close() throws IOException {
      out.close();
      if (!collection.isOplog()) {
        DirectoryTarget.this.write(collection, collection.metadata().with(sum.value()));
      }
      OnDisk.force(part);
      OnDisk.move(part, file);
    }
  }
}
