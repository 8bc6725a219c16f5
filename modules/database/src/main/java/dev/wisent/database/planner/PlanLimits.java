package dev.wisent.database.planner;

/** Which bounds have kept a planner from making more plans, for explain. */
public final class PlanLimits {
  private boolean andSolutions;
  private boolean orSolutions;
  private boolean scansToExplode;

  void reachedAndSolutions() {
    andSolutions = true;
  }

  void reachedOrSolutions() {
    orSolutions = true;
  }

  void reachedScansToExplode() {
    scansToExplode = true;
  }

  /** Whether conditions could use more indexes than were tried. */
  public boolean andSolutions() {
    return andSolutions;
  }

  /** Whether the branches of a disjunction could be combined in more ways than were tried. */
  public boolean orSolutions() {
    return orSolutions;
  }

  /** Whether an order could have come from merging more scans than are merged. */
  public boolean scansToExplode() {
    return scansToExplode;
  }
}
