package dev.wisent.database.planner;

import dev.wisent.database.plan.PlanNode;
import dev.wisent.query.match.OrMatch;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * The branches of a disjunction that is the whole filter. Which way is best for one of them does
 * not depend on the others, so each is a query of its own, and its plans compete among themselves.
 */
public final class Branches {
  private final List<Branch> branches = new ArrayList<>();
  private final Function<Access, List<PlanNode>> assembler;

  /**
   * One branch.
   *
   * @param query the branch as if it were asked for alone
   * @param plans its plans, the best guess first
   */
  public record Branch(Query query, List<PlanNode> plans, List<Access> ways) {}

  /**
   * @param ways those of each branch, the most promising first
   * @param assembler makes the plans of the whole query over the ways that were chosen
   */
  Branches(
      Query query,
      PlanLimits limits,
      OrMatch or,
      List<List<Access>> ways,
      Function<Access, List<PlanNode>> assembler) {
    this.assembler = assembler;
    for (int i = 0; i < ways.size(); i++) {
      Query branch = query.branch(or.children().get(i));
      var plans = new PlanAssembler(branch, limits);
      branches.add(
          new Branch(
              branch,
              ways.get(i).stream().map(way -> plans.over(way).plan()).toList(),
              ways.get(i)));
    }
  }

  public List<Branch> all() {
    return branches;
  }

  /**
   * The plans of the whole query.
   *
   * @param chosen the plan of each branch
   */
  public List<PlanNode> plansWith(List<PlanNode> chosen) {
    var ways = new ArrayList<Access>();
    for (int i = 0; i < branches.size(); i++) {
      Branch branch = branches.get(i);
      ways.add(branch.ways().get(branch.plans().indexOf(chosen.get(i))));
    }
    return assembler.apply(Access.union(ways));
  }
}
