package dev.wisent.tools.dump;

import com.mongodb.MongoException;
import dev.wisent.tools.command.FlagTable;
import dev.wisent.tools.command.Flags;
import dev.wisent.tools.command.Messages;
import dev.wisent.tools.command.Progress;
import dev.wisent.tools.command.Surroundings;
import dev.wisent.tools.command.ToolException;
import dev.wisent.tools.command.Workers;
import dev.wisent.tools.connection.Deployment;
import dev.wisent.tools.connection.Deployment.Kind;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/** {@code wisent dump}. */
public final class DumpTool {
  private static final int BUFFER_BYTES = 1 << 20;

  private final DumpSettings settings;
  private final Surroundings surroundings;
  private final Messages messages;
  private final LongAdder documents = new LongAdder();

  private DumpTool(DumpSettings settings, Surroundings surroundings, Messages messages) {
    this.settings = settings;
    this.surroundings = surroundings;
    this.messages = messages;
  }

  public static FlagTable flags() {
    return DumpSettings.flags();
  }

  public static void run(Flags flags, Surroundings surroundings) throws ToolException {
    DumpSettings settings = DumpSettings.parse(flags);
    Messages messages = Messages.of(flags, surroundings.err());
    try (Deployment deployment = Deployment.connect(flags, settings.uri(), surroundings)) {
      new DumpTool(settings, surroundings, messages).run(deployment);
    } catch (MongoException e) {
      throw Deployment.failure("the dump has failed", e);
    }
  }

  private void run(Deployment deployment) throws ToolException {
    if (settings.oplog() && deployment.kind() != Kind.SET) {
      throw ToolException.failed(
          deployment.kind() == Kind.ROUTER
              ? "--oplog is for replica sets; through a router a dump is of one time without it"
              : "--oplog needs a replica set");
    }
    try (var reader = new SourceReader(deployment, settings, surroundings.interruption())) {
      dump(deployment, new SourceCatalog(deployment, settings), reader);
    }
  }

  private void dump(Deployment deployment, SourceCatalog catalog, SourceReader reader)
      throws ToolException {
    OplogWindow window = null;
    if (settings.oplog()) {
      // What changes after the list is made must be in the window.
      window = OplogWindow.open(deployment, reader);
      messages.say(1, "the dump has the oplog of the " + window);
    }
    List<SourceCollection> collections =
        window == null ? open(deployment, reader, catalog) : list(catalog);
    if (collections.isEmpty()) {
      messages.warn("there is nothing to dump");
    }
    try (DumpTarget target = target(deployment, collections)) {
      long total = collections.stream().mapToLong(SourceCollection::estimated).sum();
      try (Progress progress = Progress.ofDocuments(surroundings, messages, "dump", total)) {
        List<Workers.Task> tasks = new ArrayList<>();
        collections.forEach(
            collection -> tasks.add(() -> dump(collection, reader, target, progress, () -> {})));
        Workers.run(surroundings.scheduler(), "dump", settings.parallel(), tasks);
        if (window != null) {
          dump(window.close(), reader, target, progress, window::checkComplete);
        }
        target.complete();
      }
    } catch (IOException e) {
      throw ToolException.failed("cannot write the dump: " + e, e);
    }
    messages.say(
        "%d document(s) of %d collection(s) dumped".formatted(documents.sum(), collections.size()));
  }

  private List<SourceCollection> list(SourceCatalog catalog) throws ToolException {
    List<SourceCollection> collections = catalog.read();
    messages.say(1, "listed %d collection(s) and view(s)".formatted(collections.size()));
    return collections;
  }

  private List<SourceCollection> open(
      Deployment deployment, SourceReader reader, SourceCatalog catalog) throws ToolException {
    if (!SourceReader.hasSnapshots(deployment)) {
      messages.say(
          deployment.kind() == Kind.NODE ? 1 : 0,
          "this server has no snapshots: what is written meanwhile may be in the dump or not");
      return list(catalog);
    }
    List<SourceCollection> collections = reader.open(() -> list(catalog), surroundings.scheduler());
    if (reader.time() != null) {
      messages.say("reading the state of cluster time " + SourceReader.text(reader.time()));
    }
    return collections;
  }

  private DumpTarget target(Deployment deployment, List<SourceCollection> collections)
      throws IOException {
    if (settings.archive() == null) {
      return settings.out().equals("-")
          ? new StreamTarget(surroundings.data(), settings.gzip())
          : new DirectoryTarget(Path.of(settings.out()), settings.gzip());
    }
    boolean output = settings.archive().equals("-");
    OutputStream file =
        output ? surroundings.data() : Files.newOutputStream(Path.of(settings.archive()));
    List<SourceCollection> all = new ArrayList<>(collections);
    if (settings.oplog()) {
      all.add(OplogWindow.placeholder());
    }
    return new ArchiveTarget(
        new BufferedOutputStream(settings.gzip() ? new Gzip(file) : file, BUFFER_BYTES),
        output ? null : Path.of(settings.archive()),
        all,
        settings.parallel(),
        deployment.serverVersion(),
        surroundings.version());
  }

  /**
   * @param check fails if what was read is not all
   */
  private void dump(
      SourceCollection collection,
      SourceReader reader,
      DumpTarget target,
      Progress progress,
      Workers.Task check)
      throws ToolException {
    try {
      surroundings.interruption().check();
      target.metadata(collection);
      if (!collection.withDocuments()) {
        return;
      }
      progress.at(collection.toString());
      messages.say(
          surroundings.terminal() ? 1 : 0,
          "writing " + collection + " to " + target.describe(collection));
      OutputStream out = target.open(collection);
      boolean complete = false;
      try {
        long count = reader.copy(collection, out, progress::add);
        check.run();
        complete = true;
        out.close();
        documents.add(count);
        messages.say(
            surroundings.terminal() ? 1 : 0,
            "done dumping %s (%d document%s)".formatted(collection, count, count == 1 ? "" : "s"));
      } finally {
        if (!complete) {
          target.abandon(collection, out);
        }
      }
    } catch (IOException e) {
      throw ToolException.failed("cannot write " + collection + ": " + e, e);
    } catch (InvalidPathException e) {
      throw ToolException.failed(
          "cannot name a file after %s: %s (is LC_ALL one with UTF-8?)"
              .formatted(collection, e.getMessage()),
          e);
    }
  }
}
