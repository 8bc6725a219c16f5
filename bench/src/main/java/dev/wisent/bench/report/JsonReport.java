package dev.wisent.bench.report;

import dev.wisent.bench.measure.Sample;
import dev.wisent.bench.report.Report.TargetCell;
import dev.wisent.bench.report.Report.WorkloadResult;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.json.JsonMode;
import org.bson.json.JsonWriterSettings;

/** Writes a report, with every round by itself, for programs. */
public final class JsonReport {
  private JsonReport() {}

  public static String write(Report report) {
    BsonDocument facts = new BsonDocument();
    report.facts().forEach((name, value) -> facts.append(name, new BsonString(value)));
    BsonArray targets = new BsonArray();
    report
        .targets()
        .forEach(
            target ->
                targets.add(
                    new BsonDocument("name", new BsonString(target.name()))
                        .append("description", new BsonString(target.description()))));
    BsonArray results = new BsonArray();
    for (WorkloadResult workload : report.workloads()) {
      workload.cells().forEach(cell -> results.add(result(workload, cell)));
    }
    return new BsonDocument("facts", facts)
            .append("baseline", new BsonString(report.baseline()))
            .append("targets", targets)
            .append("results", results)
            .toJson(JsonWriterSettings.builder().outputMode(JsonMode.RELAXED).indent(true).build())
        + "\n";
  }

  private static BsonDocument result(WorkloadResult workload, TargetCell target) {
    BsonDocument result =
        new BsonDocument("workload", new BsonString(workload.name()))
            .append("target", new BsonString(target.target()))
            .append("durability", new BsonString(target.durability()))
            .append("unit", new BsonString(workload.unit()));
    switch (target.cell()) {
      case Cell.Measured measured -> {
        result.append("median", sample(measured.median()));
        BsonArray rounds = new BsonArray();
        measured.rounds().forEach(round -> rounds.add(sample(round)));
        result.append("rounds", rounds);
      }
      case Cell.Failed failed -> result.append("error", new BsonString(failed.error()));
      case Cell.Skipped skipped -> result.append("skipped", new BsonString(skipped.reason()));
    }
    return result;
  }

  private static BsonDocument sample(Sample sample) {
    BsonDocument document =
        new BsonDocument("units", number(sample.units()))
            .append("unitsPerSecond", number(sample.unitsPerSecond()))
            .append("p50Micros", number(sample.p50Micros()))
            .append("p99Micros", number(sample.p99Micros()))
            .append("cpuMicrosPerUnit", number(sample.cpuMicrosPerUnit()))
            .append("residentBytes", number(sample.residentBytes()))
            .append("diskBytes", number(sample.diskBytes()));
    sample.extras().forEach((name, value) -> document.append(name, number(value)));
    return document;
  }

  /** JSON has no word for "could not be had" but null. */
  private static BsonValue number(double value) {
    return Double.isNaN(value) ? BsonNull.VALUE : new BsonDouble(value);
  }
}
