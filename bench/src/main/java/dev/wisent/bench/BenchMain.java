package dev.wisent.bench;

import dev.wisent.bench.measure.Limit;
import dev.wisent.bench.process.WorkDirectory;
import dev.wisent.bench.report.JsonReport;
import dev.wisent.bench.report.MarkdownReport;
import dev.wisent.bench.report.Report;
import dev.wisent.bench.target.Target;
import dev.wisent.bench.target.TargetFactory;
import dev.wisent.bench.workload.Settings;
import dev.wisent.bench.workload.Workload;
import dev.wisent.bench.workload.Workloads;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The {@code wisent bench} command. */
@Command(
    name = "bench",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    showDefaultValues = true,
    subcommands = {FailoverCommand.class, MigrationCommand.class, ToolsCommand.class},
    description = "Runs workloads on several servers in one go and prints a table with ratios.",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:all went through", "1:some target failed; see its row", "2:wrong usage"})
public final class BenchMain implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = "--workloads",
      split = ",",
      defaultValue = "all",
      description =
          "names, or all, or a family: ycsb (A to F), monitoring, replica-set; --list prints them")
  private List<String> workloadNames;

  @Option(names = "--list", description = "print the workloads and stop")
  private boolean list;

  @Option(
      names = "--targets",
      defaultValue = "wisent,mongo-java-server,postgres",
      description = {
        "servers to compare: wisent, wisent-auth (logins), wisent-tls, wisent-tls-auth (both),",
        "wisent-set (three members), wisent-shard (a set of one),",
        "wisent-cluster (a router on two such shards), mongo-java-server, postgres,",
        "[name=]mongodb://…",
        "The ratios are those of the first to the others."
      })
  private String targetNames;

  @Option(
      names = "--records",
      defaultValue = "100000",
      description = "documents in each loaded collection")
  private long records;

  @Option(
      names = "--seconds",
      defaultValue = "5",
      description = "length of a run; with --operations, its upper bound")
  private long seconds;

  @Option(
      names = "--operations",
      description = "end a run after so many operations of all clients together")
  private Long operations;

  @Option(names = "--threads", defaultValue = "8", description = "clients")
  private int threads;

  @Option(names = "--rounds", defaultValue = "3", description = "runs; the median is reported")
  private int rounds;

  @Option(
      names = "--passes",
      defaultValue = "1",
      description =
          "run all workloads so often and report the last pass, so that no workload meets a server"
              + " that is still compiling")
  private int passes;

  @Option(
      names = "--warmup-seconds",
      defaultValue = "5",
      description = "length of the run before the rounds, which does not count; 0 for none")
  private long warmUpSeconds;

  @Option(
      names = "--quiet-seconds",
      defaultValue = "5",
      description = "wait at most so long before each run for a server to finish earlier work")
  private long quietSeconds;

  @Option(names = "--seed", defaultValue = "42", description = "of documents and choices")
  private long seed;

  @Option(
      names = "--idle-connections",
      defaultValue = "2000",
      description = "held by the connections workload")
  private int idleConnections;

  @Option(names = "--out", paramLabel = "FILE", description = "write the Markdown here as well")
  private Path markdownFile;

  @Option(names = "--json", paramLabel = "FILE", description = "write every round here as JSON")
  private Path jsonFile;

  @Option(
      names = "--wisent-command",
      paramLabel = "COMMAND",
      description =
          "starts Wisent; --port, --dbpath and --bind_ip are added"
              + " (default: wisent server, from this repository)")
  private String wisentCommand;

  @Option(
      names = "--postgres-bin",
      paramLabel = "DIRECTORY",
      description = "where postgres and initdb are (default: the usual places)")
  private Path postgresBinDirectory;

  @Option(
      names = "--shared-buffers-mb",
      defaultValue = "1024",
      description = "PostgreSQL's cache; give it what the other servers have")
  private int sharedBuffersMegabytes;

  @Option(
      names = "--memory-server-heap-mb",
      defaultValue = "4096",
      description = "heap limit of mongo-java-server's JVM")
  private int memoryServerHeapMegabytes;

  @Option(
      names = "--work-dir",
      paramLabel = "DIRECTORY",
      description = "where the servers' data go; use a real disk (default: a temporary directory)")
  private Path workDirectory;

  public static void main(String[] args) {
    // Without a logging backend SLF4J would explain itself on the terminal.
    System.setProperty("slf4j.internal.verbosity", "ERROR");
    System.exit(new CommandLine(new BenchMain()).execute(args));
  }

  @Override
  public Integer call() throws Exception {
    PrintWriter out = spec.commandLine().getOut();
    if (list) {
      Workloads.all().forEach(w -> out.printf("%-21s %s%n", w.name(), w.summary()));
      return 0;
    }
    Settings settings = checked(this::settings);
    List<Workload> workloads = checked(() -> Workloads.named(workloadNames));
    List<String> names = checked(() -> TargetFactory.split(targetNames));
    Report report;
    try (WorkDirectory directory = WorkDirectory.create(Optional.ofNullable(workDirectory))) {
      report = run(settings, workloads, names, directory.path());
    }
    String markdown = MarkdownReport.write(report);
    out.println(markdown);
    out.flush();
    if (markdownFile != null) {
      Files.writeString(markdownFile, markdown);
    }
    if (jsonFile != null) {
      Files.writeString(jsonFile, JsonReport.write(report));
    }
    return report.hasFailures() ? 1 : 0;
  }

  private Report run(
      Settings settings, List<Workload> workloads, List<String> names, Path directory)
      throws Exception {
    TargetFactory factory =
        new TargetFactory(
            new TargetFactory.Options(
                wisentWords(wisentCommand),
                Optional.ofNullable(postgresBinDirectory),
                sharedBuffersMegabytes,
                memoryServerHeapMegabytes),
            directory);
    PrintWriter err = spec.commandLine().getErr();
    Map<String, String> facts = facts(settings);
    List<Target> targets = new ArrayList<>();
    try {
      for (String name : names) {
        targets.add(factory.create(name));
      }
      BenchRun.Outcome outcome = new BenchRun(settings, err::println).run(targets, workloads);
      return new Report(facts, targets.getFirst().name(), outcome.targets(), outcome.workloads());
    } finally {
      targets.forEach(Target::close);
    }
  }

  private Map<String, String> facts(Settings settings) {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("machine", Machine.describe());
    Machine.load().ifPresent(load -> facts.put("load before the run", load));
    facts.put("Java of the clients", System.getProperty("java.vm.version"));
    facts.put(
        "settings",
        "%,d records, %d clients, passes: %d, rounds: %d of %s, seed %d"
            .formatted(
                settings.records(),
                settings.threads(),
                settings.passes(),
                settings.rounds(),
                operations == null ? seconds + " s" : "%,d operations".formatted(operations),
                settings.seed()));
    return facts;
  }

  private Settings settings() {
    Duration time = Duration.ofSeconds(seconds);
    Limit limit = operations == null ? Limit.ofTime(time) : new Limit(operations, time);
    Duration warmUpTime = Duration.ofSeconds(warmUpSeconds);
    Optional<Limit> warmUp =
        warmUpSeconds == 0
            ? Optional.empty()
            : Optional.of(new Limit(limit.operations(), warmUpTime));
    return new Settings(
        records,
        limit,
        warmUp,
        Duration.ofSeconds(quietSeconds),
        threads,
        passes,
        rounds,
        seed,
        idleConnections);
  }

  /** What starts Wisent: as the user says, or from this repository. */
  static List<String> wisentWords(String given) {
    return given != null
        ? List.of(given.strip().split("\\s+"))
        : List.of(RepositoryRoot.launcher().toString(), "server");
  }

  /** Turns a bad value into a usage error. */
  private <T> T checked(Callable<T> parse) throws Exception {
    try {
      return parse.call();
    } catch (IllegalArgumentException e) {
      throw new CommandLine.ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }
}
