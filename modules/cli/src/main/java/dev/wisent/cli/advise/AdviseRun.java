package dev.wisent.cli.advise;

import dev.wisent.base.RandomSource;
import dev.wisent.sharding.advice.AdviceSettings;
import dev.wisent.sharding.advice.Advisor;
import dev.wisent.sharding.advice.CandidateFinder;
import dev.wisent.sharding.advice.CandidateKey;
import dev.wisent.sharding.advice.CandidateReport;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads, judges and shows. */
public final class AdviseRun {
  private final AdviseSettings settings;
  private final PrintStream out;
  private final RandomSource random;

  /**
   * @param random for logins
   */
  public AdviseRun(AdviseSettings settings, PrintStream out, RandomSource random) {
    this.settings = settings;
    this.out = out;
    this.random = random;
  }

  public void run() throws AdviseException {
    Workload workload;
    ShardPlacement placement;
    try (Deployment deployment = Deployment.connect(settings.uri(), random)) {
      workload = Workload.read(deployment, settings);
      placement = ShardPlacement.read(deployment, settings.namespace());
    }
    var assumed =
        new AdviceSettings(
            settings.shards(),
            (long) settings.chunkMegabytes() << 20,
            (long) (settings.memoryGigabytes() * (1L << 30)),
            workload.total(),
            workload.documentBytes(),
            settings.insertsPerDay() >= 0
                ? settings.insertsPerDay()
                : Math.max(0, workload.perDay()),
            settings.priority());
    List<CandidateReport> reports =
        new Advisor(workload.documents(), workload.queries(), assumed)
            .judge(candidates(workload, assumed));
    var advice = new Advice(settings, workload, placement, assumed, reports);
    new AdviceTable(advice).print(out);
    if (settings.html() != null) {
      try {
        Files.writeString(settings.html(), new AdvicePage(advice).text());
      } catch (IOException e) {
        throw AdviseException.failed("cannot write " + settings.html() + ": " + e.getMessage());
      }
      out.println("With pictures: " + settings.html());
    }
  }

  private List<CandidateKey> candidates(Workload workload, AdviceSettings assumed) {
    Map<String, CandidateKey> all = new LinkedHashMap<>();
    settings.keys().forEach(key -> all.putIfAbsent(key.text(), key));
    new CandidateFinder(workload.documents(), workload.queries(), assumed)
        .candidates()
        .forEach(key -> all.putIfAbsent(key.text(), key));
    return new ArrayList<>(all.values());
  }
}
