package dev.wisent.cli.advise;

import dev.wisent.sharding.advice.CandidateReport;
import dev.wisent.sharding.advice.Finding;
import java.util.List;
import java.util.Locale;

/** The advice as one HTML page that needs nothing else. */
final class AdvicePage {
  private static final String STYLE =
      """
      body { font: 16px/1.5 system-ui, sans-serif; color: #222; max-width: 1000px;
             margin: 2rem auto; padding: 0 1rem; }
      h1 { font-size: 1.6rem; margin-bottom: .3rem; } h2 { font-size: 1.15rem; margin: 0; }
      h2 code { font-size: 1.1em; }
      p.premises { color: #555; margin-top: 0; }
      table { border-collapse: collapse; width: 100%; margin: 1.5rem 0; font-size: .92rem; }
      th, td { text-align: right; padding: .35rem .5rem; border-bottom: 1px solid #ddd; }
      th { font-weight: 600; color: #555; vertical-align: bottom; }
      th:first-child, td:first-child, th:nth-child(2), td:nth-child(2) { text-align: left; }
      .good { color: #1a7f37; } .usable { color: #9a6700; } .bad { color: #cf222e; }
      section { border: 1px solid #ddd; border-radius: 8px; padding: 1rem 1.2rem; margin: 1.2rem 0; }
      ul { list-style: none; padding: 0; margin: .6rem 0; }
      li { padding-left: 1.4rem; position: relative; }
      li::before { position: absolute; left: 0; }
      li.w-good::before { content: "+"; color: #1a7f37; font-weight: bold; }
      li.w-note::before { content: "\\2022"; color: #777; }
      li.w-warning::before { content: "!"; color: #9a6700; font-weight: bold; }
      li.w-bad::before { content: "\\00d7"; color: #cf222e; font-weight: bold; }
      figure { margin: .8rem 0 0; } figcaption { font-size: .85rem; color: #555; }
      svg { display: block; width: 100%; height: auto; }
      .idea { color: #555; font-weight: normal; }
      .legend span { display: inline-block; margin-right: 1rem; }
      .legend i { display: inline-block; width: .8em; height: .8em; margin-right: .3em; }
      """;

  private final Advice advice;

  AdvicePage(Advice advice) {
    this.advice = advice;
  }

  String text() {
    var page = new StringBuilder(1 << 16);
    String title = "Shard keys for " + escaped(advice.settings().namespace().full());
    page.append("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    page.append("<meta name=\"viewport\" content=\"width=device-width\">\n");
    page.append("<title>").append(title).append("</title>\n<style>\n").append(STYLE);
    page.append("</style>\n</head>\n<body>\n<h1>").append(title).append("</h1>\n");
    page.append("<p class=\"premises\">");
    page.append(
        String.join(".<br>\n", advice.premises().stream().map(AdvicePage::escaped).toList()));
    page.append(".</p>\n");
    placement(page);
    table(page);
    legend(page);
    advice.reports().forEach(report -> section(report, page));
    return page.append("</body>\n</html>\n").toString();
  }

  /** Where the data is, if there are shards already. */
  private void placement(StringBuilder page) {
    ShardPlacement placement = advice.placement();
    if (!placement.shards().isEmpty()) {
      String title = escaped(placement.title());
      figure("The shards: " + title + ". Bars are parts of the data.", placement.picture(), page);
    }
  }

  private void table(StringBuilder page) {
    page.append("<table>\n<tr>");
    AdviceTable.titles().forEach(title -> page.append("<th>").append(title).append("</th>"));
    page.append("</tr>\n");
    for (CandidateReport report : advice.reports()) {
      List<String> row = AdviceTable.row(report);
      page.append("<tr>");
      for (int i = 0; i < row.size(); i++) {
        String cell = escaped(row.get(i));
        page.append(
            switch (i) {
              case 0 -> "<td><code>" + cell + "</code></td>";
              case 1 -> "<td><b class=\"" + cell + "\">" + cell + "</b></td>";
              default -> "<td>" + cell + "</td>";
            });
      }
      page.append("</tr>\n");
    }
    page.append(
        "</table>\n<p class=\"premises\">Busiest shard: its part of the inserts of any time.");
    page.append(" One shard, all shards: queries that go there. Warm data: what new documents go");
    page.append(" into. Jumbo and chunks: after a month.</p>\n");
  }

  private void legend(StringBuilder page) {
    page.append("<p class=\"legend\">");
    int shown = Math.min(advice.assumed().shards(), AdvicePictures.COLORS.size());
    for (int i = 0; i < shown; i++) {
      page.append("<span><i style=\"background:").append(AdvicePictures.color(i)).append("\"></i>");
      page.append("shard ").append(i).append("</span>");
    }
    page.append("</p>\n");
  }

  private void section(CandidateReport report, StringBuilder page) {
    String grade = report.verdict().grade().toString();
    page.append("<section>\n<h2><code>").append(escaped(report.key().text())).append("</code> ");
    page.append("<span class=\"").append(grade).append("\">").append(grade).append("</span>");
    if (!report.key().idea().isEmpty()) {
      page.append(" <span class=\"idea\">").append(escaped(report.key().idea())).append("</span>");
    }
    page.append("</h2>\n<ul>\n");
    for (Finding finding : report.verdict().findings()) {
      String weight = finding.weight().name().toLowerCase(Locale.ROOT);
      page.append("<li class=\"w-").append(weight).append("\">");
      page.append(escaped(finding.text())).append("</li>\n");
    }
    String peak = advice.peak(report.figures());
    if (!peak.isEmpty()) {
      page.append("<li class=\"w-note\">").append(escaped(peak)).append("</li>\n");
    }
    page.append("</ul>\n");
    int shards = advice.assumed().shards();
    figure(
        "Inserts over time, by the shard that they go to. One color means one shard does all the"
            + " work.",
        AdvicePictures.inserts(report.figures(), shards),
        page);
    figure(
        "Chunks of each shard. Dark ones get the latest documents, red ones cannot be split.",
        AdvicePictures.chunks(report.figures(), shards),
        page);
    if (report.figures().queries().total() > 0) {
      figure(
          "Queries: for one shard, for some, for all.",
          AdvicePictures.queries(report.figures().queries()),
          page);
    }
    page.append("</section>\n");
  }

  private static void figure(String caption, String picture, StringBuilder page) {
    page.append("<figure>\n").append(picture).append("<figcaption>").append(caption);
    page.append("</figcaption>\n</figure>\n");
  }

  static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
