package dev.wisent.sharding.advice;

import java.util.List;
import java.util.Locale;

/** What to think of a shard key, and why. */
public record Verdict(Grade grade, List<Finding> findings) {
  /** From the best to the worst. */
  public enum Grade {
    GOOD,
    USABLE,
    BAD;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public Verdict {
    findings = List.copyOf(findings);
  }

  static Verdict of(List<Finding> findings) {
    if (has(findings, Finding.Weight.BAD)) {
      return new Verdict(Grade.BAD, findings);
    }
    return new Verdict(has(findings, Finding.Weight.WARNING) ? Grade.USABLE : Grade.GOOD, findings);
  }

  private static boolean has(List<Finding> findings, Finding.Weight weight) {
    return findings.stream().anyMatch(finding -> finding.weight() == weight);
  }

  /** The finding about a subject that counts most; null for none. */
  public Finding about(Finding.Subject subject) {
    Finding worst = null;
    for (Finding finding : findings) {
      if (finding.subject() == subject
          && (worst == null || finding.weight().compareTo(worst.weight()) > 0)) {
        worst = finding;
      }
    }
    return worst;
  }
}
