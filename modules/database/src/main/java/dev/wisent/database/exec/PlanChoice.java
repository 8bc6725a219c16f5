package dev.wisent.database.exec;

import dev.wisent.database.plan.PlanCandidate;
import java.util.ArrayDeque;
import java.util.List;

/**
 * The plan that answers a query.
 *
 * @param root its last step
 * @param rows what it gave while it was chosen
 * @param candidates who took part in the race, the winner first; none if there was no race
 * @param chooser who can choose again; null where that makes no sense
 * @param worksMax with more works than this, a plan from the cache is not what it was taken for
 */
record PlanChoice(
    Step root,
    ArrayDeque<Row> rows,
    List<PlanCandidate> candidates,
    PlanChooser chooser,
    long worksMax) {

  /** The only plan that there is. */
  static PlanChoice only(Step root) {
    return new PlanChoice(root, new ArrayDeque<>(0), List.of(), null, Long.MAX_VALUE);
  }

  /** The same plan, to be kept to its end. */
  PlanChoice settled() {
    return new PlanChoice(root, rows, candidates, null, Long.MAX_VALUE);
  }

  /**
   * Has the cache forget this plan.
   *
   * @param now whether another one can take over; otherwise this one goes on to its end
   */
  PlanChoice replaced(boolean now) {
    chooser.forget();
    if (!now) {
      return settled();
    }
    root.close();
    return chooser.race();
  }
}
