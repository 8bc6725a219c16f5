package dev.wisent.sharding.advice;

/** A candidate, what it does, and what to think of it. */
public record CandidateReport(CandidateKey key, KeyFigures figures, Verdict verdict) {
  /** The better of two keys has more. */
  public double score() {
    double score = 100;
    for (Finding finding : verdict.findings()) {
      score -=
          switch (finding.weight()) {
            case GOOD, NOTE -> 0;
            case WARNING -> 15;
            case BAD -> 60;
          };
    }
    KeyFigures.QueryFigures queries = figures.queries();
    score -= 20 * figures.busiestShare() + 10 * figures.warmShare();
    return score + (queries.total() == 0 ? 0 : 20 * queries.oneShardShare());
  }
}
