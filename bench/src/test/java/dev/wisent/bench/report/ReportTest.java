package dev.wisent.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bench.measure.Sample;
import dev.wisent.bench.report.Report.TargetCell;
import dev.wisent.bench.report.Report.TargetLine;
import dev.wisent.bench.report.Report.WorkloadResult;
import java.util.List;
import java.util.Map;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;

class ReportTest {
  private static final double MEBIBYTE = 1024 * 1024;

  @Test
  void printsFiguresWithThreeDigits() {
    assertThat(Figures.number(123_456.7)).isEqualTo("123,457");
    assertThat(Figures.number(45.67)).isEqualTo("45.7");
    assertThat(Figures.number(0.456)).isEqualTo("0.46");
    assertThat(Figures.number(2000)).isEqualTo("2,000");
    assertThat(Figures.number(0)).isEqualTo("0");
    assertThat(Figures.number(Double.NaN)).isEqualTo("–");
    assertThat(Figures.mebibytes(3.4 * MEBIBYTE)).isEqualTo("3");
  }

  @Test
  void printsRatios() {
    assertThat(Figures.ratio(30, 40)).isEqualTo("0.75×");
    assertThat(Figures.ratio(400, 10)).isEqualTo("40.0×");
    assertThat(Figures.ratio(1, 0)).isEqualTo("–");
    assertThat(Figures.ratio(Double.NaN, 3)).isEqualTo("–");
  }

  @Test
  void medianIsTakenFigureByFigure() {
    Sample median =
        Sample.median(List.of(sample(100, 30), sample(300, 10), sample(200, Double.NaN)));
    assertThat(median.unitsPerSecond()).isEqualTo(200);
    assertThat(median.cpuMicrosPerUnit()).isEqualTo(20);
  }

  @Test
  void ratiosAreThoseOfTheBaselineToEachPeer() {
    String markdown = MarkdownReport.write(report());
    assertThat(row(markdown, "| point-read | wisent"))
        .containsSubsequence("20,000", "25", "–", "–");
    // 20,000 against 10,000 a second; 25 against 50 µs.
    assertThat(row(markdown, "| point-read | postgres")).contains("2.00×").contains("0.50×");
    assertThat(row(markdown, "| point-read |  ")).containsSubsequence("2.00×", "0.50×");
  }

  @Test
  void aFailureStandsInItsRowAndSparesTheOthers() {
    String markdown = MarkdownReport.write(report());
    assertThat(row(markdown, "| insert     | wisent"))
        .containsSubsequence("failed", "code 3 \\| disk full");
    assertThat(row(markdown, "| insert     | postgres")).contains("10,000");
    assertThat(report().hasFailures()).isTrue();
  }

  @Test
  void allRowsHaveTheSameColumns() {
    List<String> rows =
        MarkdownReport.write(report()).lines().filter(line -> line.startsWith("|")).toList();
    assertThat(rows).hasSize(2 + 4 + 2 + 2);
    assertThat(rows.subList(0, 6)).allSatisfy(row -> assertThat(cells(row)).isEqualTo(12));
    assertThat(rows.subList(6, 10)).allSatisfy(row -> assertThat(cells(row)).isEqualTo(4));
  }

  @Test
  void jsonHoldsEveryRoundAndNullForWhatIsMissing() {
    BsonDocument json = BsonDocument.parse(JsonReport.write(report()));
    assertThat(json.getString("baseline").getValue()).isEqualTo("wisent");
    BsonDocument read = json.getArray("results").get(0).asDocument();
    assertThat(read.getArray("rounds")).hasSize(2);
    assertThat(read.getDocument("median").getDouble("cpuMicrosPerUnit").getValue()).isEqualTo(25);
    assertThat(read.getDocument("median").isNull("diskBytes")).isTrue();
    BsonDocument failed = json.getArray("results").get(2).asDocument();
    assertThat(failed.getString("error").getValue()).isEqualTo("code 3 | disk full");
  }

  private static Report report() {
    Cell fast = new Cell.Measured(List.of(sample(19_000, 24), sample(21_000, 26)));
    Cell slow = new Cell.Measured(List.of(sample(10_000, 50)));
    Cell failed = new Cell.Failed("code 3 | disk full");
    return new Report(
        Map.of("machine", "a test"),
        "wisent",
        List.of(new TargetLine("wisent", "ours"), new TargetLine("postgres", "theirs")),
        List.of(workload("point-read", fast, slow), workload("insert", failed, slow)));
  }

  private static WorkloadResult workload(String name, Cell wisent, Cell postgres) {
    return new WorkloadResult(
        name,
        "a summary",
        "operation",
        List.of(
            new TargetCell("wisent", "w:1", wisent), new TargetCell("postgres", "off", postgres)));
  }

  private static Sample sample(double unitsPerSecond, double cpuMicros) {
    return new Sample(
        1000, unitsPerSecond, 100, 900, cpuMicros, 64 * MEBIBYTE, Double.NaN, Map.of());
  }

  private static String row(String markdown, String start) {
    return markdown.lines().filter(line -> line.startsWith(start)).findFirst().orElseThrow();
  }

  private static long cells(String row) {
    return row.replace("\\|", "").chars().filter(c -> c == '|').count() - 1;
  }
}
