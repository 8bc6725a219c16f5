package dev.wisent.tools.restore;

import dev.wisent.base.Scheduler;
import dev.wisent.tools.command.ToolException;
import dev.wisent.tools.command.Workers;
import dev.wisent.tools.format.CollectionMetadata;
import dev.wisent.tools.format.DamagedDumpException;
import dev.wisent.tools.format.DataCheck;
import dev.wisent.tools.format.DocumentStream;
import dev.wisent.tools.format.DumpFileNames;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.bson.BsonDocument;
import org.bson.ByteBuf;
import org.bson.RawBsonDocument;

/** A directory of a dump, the directory of one database of it, or one file. */
final class DirectorySource implements DumpSource {
  private static final int BUFFER_BYTES = 1 << 18;
  private static final String OTHER_FILE =
      "; if it was changed on purpose, delete \"data\" from its .metadata.json";

  private record DumpFiles(Path data, Path metadata) {}

  private final Map<DumpedCollection, Path> data = new LinkedHashMap<>();
  private final Scheduler scheduler;
  private final int parallel;
  private Path oplog;

  private DirectorySource(Scheduler scheduler, int parallel) {
    this.scheduler = scheduler;
    this.parallel = parallel;
  }

  static DirectorySource open(RestoreSettings settings, Scheduler scheduler)
      throws IOException, ToolException {
    var source = new DirectorySource(scheduler, settings.parallel());
    Path path = Path.of(settings.from());
    if (!Files.exists(path)) {
      throw ToolException.failed("there is no " + path);
    }
    if (Files.isRegularFile(path)) {
      source.addFile(path, settings);
    } else if (settings.database().isPresent()) {
      String database = settings.database().get();
      Path below = path.resolve(database);
      checkComplete(path);
      checkComplete(path.toAbsolutePath().getParent());
      source.addDatabase(Files.isDirectory(below) ? below : path, database, settings);
    } else {
      source.addRoot(path, settings);
    }
    if (settings.oplogFile() != null) {
      source.oplog = Path.of(settings.oplogFile());
    }
    return source;
  }

  private void addRoot(Path root, RestoreSettings settings) throws IOException, ToolException {
    for (Path each : listed(root)) {
      String name = each.getFileName().toString();
      if (Files.isDirectory(each)) {
        addDatabase(each, name, settings);
      } else if (name.equals(DumpFileNames.OPLOG)
          || name.equals(DumpFileNames.OPLOG + DumpFileNames.GZIP)) {
        oplog = each;
      } else if (name.endsWith(DumpFileNames.PART)) {
        throw incomplete(each);
      } else if (name.endsWith(DumpFileNames.DATA)) {
        throw ToolException.badOption(
            root + " has " + name + ": to restore one database from its directory, give --db");
      }
    }
  }

  /** The directory of a whole dump has the sign that it is not complete. */
  private static void checkComplete(Path directory) throws ToolException {
    if (directory != null && Files.exists(directory.resolve(DumpFileNames.INCOMPLETE))) {
      throw incomplete(directory.resolve(DumpFileNames.INCOMPLETE));
    }
  }

  private static List<Path> listed(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.sorted().toList();
    }
  }

  private static ToolException incomplete(Path part) {
    return ToolException.failed(
        part
            + ": the dump was interrupted, and has not all documents; repeat it, or delete this"
            + " file to restore the rest");
  }

  private void addDatabase(Path directory, String database, RestoreSettings settings)
      throws IOException, ToolException {
    Map<String, DumpFiles> found = new TreeMap<>();
    for (Path each : listed(directory)) {
      String name = each.getFileName().toString();
      if (name.endsWith(DumpFileNames.PART)) {
        throw incomplete(each);
      }
      String plain = without(name, DumpFileNames.GZIP);
      if (plain.endsWith(DumpFileNames.METADATA)) {
        add(found, without(plain, DumpFileNames.METADATA), new DumpFiles(null, each));
      } else if (plain.endsWith(DumpFileNames.DATA)) {
        add(found, without(plain, DumpFileNames.DATA), new DumpFiles(each, null));
      }
    }
    for (Map.Entry<String, DumpFiles> each : found.entrySet()) {
      add(database, each.getKey(), each.getValue(), settings.collection().orElse(null));
    }
    if (settings.collection().isPresent() && data.isEmpty()) {
      throw ToolException.failed(
          "there is no " + settings.collection().get() + DumpFileNames.DATA + " in " + directory);
    }
  }

  /** Two dumps in one directory may differ in what they compress. */
  private static void add(Map<String, DumpFiles> found, String base, DumpFiles more)
      throws ToolException {
    DumpFiles old = found.getOrDefault(base, new DumpFiles(null, null));
    Path twice = more.data() == null ? old.metadata() : old.data();
    if (twice != null) {
      throw ToolException.failed(
          "%s has both %s and %s: delete that of the older dump"
              .formatted(
                  twice.toAbsolutePath().getParent(),
                  twice.getFileName(),
                  (more.data() == null ? more.metadata() : more.data()).getFileName()));
    }
    found.put(
        base,
        new DumpFiles(
            more.data() == null ? old.data() : more.data(),
            more.metadata() == null ? old.metadata() : more.metadata()));
  }

  private static String without(String name, String ending) {
    return name.endsWith(ending) ? name.substring(0, name.length() - ending.length()) : name;
  }

  private void addFile(Path file, RestoreSettings settings) throws IOException, ToolException {
    String plain = without(file.getFileName().toString(), DumpFileNames.GZIP);
    if (!plain.endsWith(DumpFileNames.DATA)) {
      throw ToolException.badOption(file + " is no .bson file; for an archive give --archive");
    }
    String base = without(plain, DumpFileNames.DATA);
    Path absolute = file.toAbsolutePath();
    String database = settings.database().orElse(absolute.getParent().getFileName().toString());
    Path metadata = null;
    for (String ending : List.of("", DumpFileNames.GZIP)) {
      Path beside = absolute.resolveSibling(base + DumpFileNames.METADATA + ending);
      metadata = Files.exists(beside) ? beside : metadata;
    }
    add(database, base, new DumpFiles(file, metadata), null);
    if (settings.collection().isPresent()) {
      // One file under another name.
      DumpedCollection read = data.keySet().iterator().next();
      data.clear();
      data.put(
          new DumpedCollection(
              database, settings.collection().get(), read.metadata(), read.bytes(), true),
          file);
    }
  }

  private void add(String database, String base, DumpFiles files, String only)
      throws IOException, ToolException {
    String fromFile = DumpFileNames.unescape(base);
    CollectionMetadata metadata =
        new CollectionMetadata(
            fromFile, CollectionMetadata.COLLECTION, new BsonDocument(), List.of(), "");
    if (files.metadata() != null) {
      try (InputStream in = stream(files.metadata())) {
        String json = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        metadata = CollectionMetadata.parse(json, database + "." + fromFile);
      }
    }
    String name = metadata.collection();
    if (only != null && !only.equals(name)) {
      return;
    }
    boolean hasDocuments = files.data() != null;
    if (hasDocuments) {
      checkSize(files, metadata);
    }
    if (!hasDocuments && !metadata.isView()) {
      throw ToolException.failed(
          "%s has %s and no %s: the dump is not complete"
              .formatted(
                  files.metadata().toAbsolutePath().getParent(),
                  files.metadata().getFileName(),
                  base + DumpFileNames.DATA));
    }
    data.put(
        new DumpedCollection(
            database, name, metadata, hasDocuments ? Files.size(files.data()) : 0, hasDocuments),
        hasDocuments ? files.data() : Path.of(""));
  }

  /** Finds a file that was cut before anything is restored. */
  private static void checkSize(DumpFiles files, CollectionMetadata metadata)
      throws IOException, ToolException {
    if (metadata.data().isPresent() && !isCompressed(files.data())) {
      long expected = metadata.data().get().bytes();
      long found = Files.size(files.data());
      if (found != expected) {
        throw ToolException.failed(
            "%s has %d bytes, and the dump has written %d".formatted(files.data(), found, expected)
                + OTHER_FILE);
      }
    }
  }

  /** A file says by its name whether it is compressed. */
  private static boolean isCompressed(Path file) {
    return file.toString().endsWith(DumpFileNames.GZIP);
  }

  private static InputStream stream(Path file) throws IOException {
    InputStream in = Files.newInputStream(file);
    return new BufferedInputStream(
        isCompressed(file) ? new GZIPInputStream(in, 1 << 13) : in, BUFFER_BYTES);
  }

  @Override
  public List<DumpedCollection> collections() {
    return List.copyOf(data.keySet());
  }

  @Override
  public boolean hasOplog() {
    return oplog != null;
  }

  @Override
  public long bytes() {
    boolean compressed =
        data.values().stream().anyMatch(file -> file.toString().endsWith(DumpFileNames.GZIP));
    return compressed ? -1 : data.keySet().stream().mapToLong(DumpedCollection::bytes).sum();
  }

  @Override
  public void read(Sink sink) throws ToolException, IOException {
    List<Workers.Task> tasks = new ArrayList<>();
    // The largest first: otherwise the last thread has it alone.
    data.keySet().stream()
        .filter(DumpedCollection::hasDocuments)
        .sorted(Comparator.comparingLong(DumpedCollection::bytes).reversed())
        .forEach(collection -> tasks.add(() -> read(collection, sink)));
    Workers.run(scheduler, "restore", parallel, tasks);
    if (oplog != null) {
      try (var stream = new DocumentStream(stream(oplog), oplog.toString())) {
        Batches.read(stream, sink::oplog);
      }
    }
  }

  private void read(DumpedCollection collection, Sink sink) throws ToolException {
    if (!sink.begin(collection)) {
      return;
    }
    Path file = data.get(collection);
    try (var stream = new DocumentStream(stream(file), file.toString())) {
      var sum = new DataCheck.Sum();
      Batches.read(
          stream,
          documents -> {
            documents.forEach(each -> add(each, sum));
            sink.documents(collection, documents);
          });
      check(file, collection.metadata(), sum.value());
    } catch (DamagedDumpException e) {
      throw ToolException.failed(e.getMessage(), e);
    } catch (IOException e) {
      throw ToolException.failed("cannot read " + file + ": " + e, e);
    }
    sink.end(collection);
  }

  private static void add(RawBsonDocument document, DataCheck.Sum sum) {
    ByteBuf bytes = document.getByteBuffer();
    sum.add(bytes.array(), bytes.position(), bytes.remaining());
  }

  private static void check(Path file, CollectionMetadata metadata, DataCheck found)
      throws DamagedDumpException {
    if (metadata.data().isPresent() && !metadata.data().get().equals(found)) {
      throw new DamagedDumpException(
          "%s is damaged: it has %s, and the dump has written %s"
                  .formatted(file, found, metadata.data().get())
              + OTHER_FILE);
    }
  }
}
