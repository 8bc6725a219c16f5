package dev.wisent.bench;

import dev.wisent.bench.data.DocumentGenerator;
import dev.wisent.bench.process.DirectorySize;
import dev.wisent.bench.process.WorkDirectory;
import dev.wisent.bench.target.Target;
import dev.wisent.bench.target.TargetFactory;
import dev.wisent.bench.target.WireAddress;
import dev.wisent.bench.tools.ToolCost;
import dev.wisent.bench.tools.ToolSteps;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The {@code wisent bench tools} command: what a dump and a restore cost. */
@Command(
    name = "tools",
    mixinStandardHelpOptions = true,
    showDefaultValues = true,
    description = {
      "Inserts documents, scans them plainly, dumps and restores them as files and as a compressed",
      "archive, and prints documents and megabytes per second and CPU beside the plain operations."
    })
final class ToolsCommand implements Callable<Integer> {
  private static final long SEED = 42;
  private static final int MEMORY_SERVER_HEAP = 4_096;
  private static final int SHARED_BUFFERS = 1_024;

  @Spec private CommandSpec spec;

  @Option(names = "--records", defaultValue = "1000000", description = "documents of 700 bytes")
  private long records;

  @Option(
      names = "--warmup-records",
      defaultValue = "300000",
      description = "documents that are inserted and scanned before; 0 for none")
  private long warmUpRecords;

  @Option(
      names = "--target",
      defaultValue = TargetFactory.WISENT,
      description = "the server: wisent, wisent-shard, mongodb://…")
  private String target;

  @Option(
      names = "--wisent-command",
      paramLabel = "COMMAND",
      description = "starts the server (default: wisent server, from this repository)")
  private String wisentCommand;

  @Option(
      names = "--tool-command",
      paramLabel = "COMMAND",
      description = "starts a tool, whose name is added (default: wisent, from this repository)")
  private String toolCommand;

  @Option(
      names = "--work-dir",
      paramLabel = "DIRECTORY",
      description = "where data and dumps go (default: a temporary directory)")
  private Path workDirectory;

  @Override
  public Integer call() throws Exception {
    PrintWriter out = spec.commandLine().getOut();
    try (WorkDirectory directory = WorkDirectory.create(Optional.ofNullable(workDirectory));
        Target server = server(directory.path())) {
      server.start();
      try (var steps = new ToolSteps(uri(server), server.meter(), toolWords())) {
        run(steps, directory.path(), out);
      }
    }
    return 0;
  }

  private Target server(Path directory) throws IOException {
    var options =
        new TargetFactory.Options(
            BenchMain.wisentWords(wisentCommand),
            Optional.empty(),
            SHARED_BUFFERS,
            MEMORY_SERVER_HEAP);
    return new TargetFactory(options, directory).create(target);
  }

  private static String uri(Target server) {
    WireAddress address =
        server
            .wireAddress()
            .orElseThrow(() -> new IllegalArgumentException("tools need MongoDB's protocol"));
    return "mongodb://%s:%d/"
        .formatted(address.socket().getHostString(), address.socket().getPort());
  }

  private List<String> toolWords() {
    return toolCommand == null
        ? List.of(RepositoryRoot.launcher().toString())
        : List.of(toolCommand.strip().split("\\s+"));
  }

  private void run(ToolSteps steps, Path directory, PrintWriter out) throws Exception {
    String load = Machine.load().orElse("unknown");
    if (warmUpRecords > 0) {
      steps.warmUp(new DocumentGenerator(SEED, warmUpRecords));
    }
    Path files = directory.resolve("files");
    Path archive = directory.resolve("archive.gz");
    Path log = directory.resolve("tool.log");
    String[] asFiles = {"--db=wisent_bench", "--out=" + files};
    String[] asArchive = {"--db=wisent_bench", "--gzip", "--archive=" + archive};
    var documents = new DocumentGenerator(SEED, records);

    steps.drop();
    steps.scanAfter(documents);
    steps.run(log, "dump", asFiles);
    steps.run(log, "dump", asArchive);
    steps.drop();
    steps.insert(documents);
    steps.drop();
    steps.run(log, "restore", "--dir=" + files);
    steps.checkCount(records);
    steps.drop();
    steps.run(log, "restore", "--gzip", "--archive=" + archive);
    steps.checkCount(records);
    steps.drop();

    out.printf(
        "%s, load before the run %s, %,d documents, %,d MB; dump of %,d MB, archive of %,d MB%n%n",
        Machine.describe(),
        load,
        records,
        steps.bytes() / 1_000_000,
        DirectorySize.bytes(files) / 1_000_000,
        Files.size(archive) / 1_000_000);
    out.println(ToolCost.table(steps.costs(), records, steps.bytes()));
    out.flush();
  }
}
