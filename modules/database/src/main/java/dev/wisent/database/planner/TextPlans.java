package dev.wisent.database.planner;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.database.index.Index;
import dev.wisent.database.plan.Conjuncts;
import dev.wisent.database.plan.PlanNode;
import dev.wisent.query.bounds.ScanBounds;
import dev.wisent.query.match.ComparisonMatch;
import dev.wisent.query.match.ComparisonMatch.Comparison;
import dev.wisent.query.match.MatchExpression;
import dev.wisent.query.match.OrMatch;
import dev.wisent.query.match.TextMatch;
import dev.wisent.query.path.FieldPath;
import dev.wisent.query.text.TermKey;
import dev.wisent.query.text.TextIndexSpec;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The plan for the documents of a {@code $text}: a scan of the text index for each term, from the
 * highest score down. There is no other way to them, so nothing is to be chosen.
 *
 * @param indexes all that may be used
 * @param scores whether the scores of documents are wanted
 */
record TextPlans(List<Index> indexes, PlanLimits limits, boolean scores) {
  private static final String ERROR =
      "error processing query: planner returned error :: caused by :: ";

  /** The documents that a filter in its normal form, with a {@code $text} in it, matches. */
  PlanNode documents(MatchExpression filter) {
    return conjunction(Conjuncts.members(filter));
  }

  private PlanNode conjunction(List<MatchExpression> members) {
    for (MatchExpression member : members) {
      if (member instanceof TextMatch text) {
        return text(text, members);
      }
    }
    for (MatchExpression member : members) {
      if (member instanceof OrMatch or && TextMatch.in(or) != null) {
        var others = new ArrayList<>(members);
        others.remove(member);
        return union(or, others);
      }
    }
    return byOthers(members);
  }

  /**
   * Each branch of a disjunction together with the other conditions. What several branches find
   * comes from the first of them, so the one that brings scores goes first.
   */
  private PlanNode union(OrMatch or, List<MatchExpression> others) {
    var branches = new ArrayList<PlanNode>();
    List<MatchExpression> textFirst =
        or.children().stream()
            .sorted(Comparator.comparing(branch -> TextMatch.in(branch) == null))
            .toList();
    for (MatchExpression branch : textFirst) {
      var members = new ArrayList<>(Conjuncts.members(branch));
      members.addAll(others);
      branches.add(conjunction(members));
    }
    return new PlanNode.Or(branches);
  }

  /** A branch beside the one with the {@code $text}; it needs an index of its own. */
  private PlanNode byOthers(List<MatchExpression> members) {
    List<Access> ways = new AccessFinder(indexes, limits).find(Conjuncts.of(members));
    if (ways.isEmpty()) {
      throw noPlan(
          "Failed to produce a solution for TEXT under OR - other non-TEXT clauses under OR have to"
              + " be indexed as well.");
    }
    List<PlanNode> fetches =
        ways.getFirst().branches().stream()
            .<PlanNode>map(way -> new PlanNode.Fetch(way.scan(false), way.filter()))
            .toList();
    return fetches.size() == 1 ? fetches.getFirst() : new PlanNode.Or(fetches);
  }

  private PlanNode text(TextMatch text, List<MatchExpression> members) {
    Index index = usableIndex(members);
    var rest = new ArrayList<>(members);
    rest.remove(text);
    RawDocument prefix = prefix(index.text(), rest);
    MatchExpression keyFilter = Conjuncts.of(takeSuffix(index.text(), rest));
    MatchExpression filter = Conjuncts.of(rest);
    List<PlanNode> scans =
        text.search().indexedTerms().stream()
            .<PlanNode>map(term -> scan(index, prefix, term, keyFilter))
            .toList();
    PlanNode found =
        new PlanNode.TextMatch(union(index, text, scans), index, text.search(), prefix);
    return filter == null ? found : new PlanNode.Fetch(found, filter);
  }

  private PlanNode union(Index index, TextMatch text, List<PlanNode> scans) {
    if (scans.isEmpty()) {
      return new PlanNode.Eof();
    }
    if (scores) {
      return new PlanNode.TextOr(scans, index, text.search());
    }
    return new PlanNode.Fetch(scans.size() == 1 ? scans.getFirst() : new PlanNode.Or(scans), null);
  }

  private Index usableIndex(List<MatchExpression> members) {
    List<Index> text = indexes.stream().filter(index -> index.kind() == Index.Kind.TEXT).toList();
    if (text.size() != 1) {
      throw noPlan("need exactly one text index for $text query");
    }
    Index index = text.getFirst();
    if (index.partialFilter() != null && !Implication.holds(members, index.partialFilter())) {
      throw unusable();
    }
    return index;
  }

  /** The values of the fields in front of the term; the conditions that give them are taken out. */
  private static RawDocument prefix(TextIndexSpec spec, List<MatchExpression> conditions) {
    var prefix = new BsonBuilder();
    for (String field : spec.before()) {
      ComparisonMatch equality = takeEquality(FieldPath.of(field), conditions);
      if (equality == null) {
        throw unusable();
      }
      prefix.append(field, equality.operand());
    }
    return prefix.toDocument();
  }

  private static ComparisonMatch takeEquality(FieldPath path, List<MatchExpression> conditions) {
    for (MatchExpression condition : conditions) {
      if (condition instanceof ComparisonMatch comparison
          && comparison.comparison() == Comparison.EQ
          && comparison.path().equals(path)
          && comparison.collation() == null) {
        conditions.remove(condition);
        return comparison;
      }
    }
    return null;
  }

  /** The conditions on fields behind the score that a key can answer; they are taken out. */
  private static List<MatchExpression> takeSuffix(
      TextIndexSpec spec, List<MatchExpression> conditions) {
    List<MatchExpression> answered =
        conditions.stream().filter(condition -> isAnsweredByKey(spec, condition)).toList();
    conditions.removeAll(answered);
    return answered;
  }

  /** A key has null for what is missing, so what may match that is left to the document. */
  private static boolean isAnsweredByKey(TextIndexSpec spec, MatchExpression condition) {
    return condition instanceof ComparisonMatch comparison
        && spec.after().contains(comparison.path().dotted())
        && !comparison.matchesValue(null)
        && !comparison.matchesValue(RawValue.NULL);
  }

  private static PlanNode scan(
      Index index, RawDocument prefix, String term, MatchExpression keyFilter) {
    RawDocument min =
        new BsonBuilder()
            .appendAll(prefix)
            .append(TextIndexSpec.TERM_FIELD, TermKey.of(term))
            .toDocument();
    RawDocument max =
        new BsonBuilder()
            .appendAll(min)
            .append(TextIndexSpec.SCORE_FIELD, RawValue.MAX_KEY)
            .toDocument();
    return new PlanNode.IndexScan(index, new ScanBounds.ByKey(min, max), true, keyFilter);
  }

  private static CommandException unusable() {
    return noPlan(
        "failed to use text index to satisfy $text query (if text index is compound, are equality"
            + " predicates given for all prefix fields?)");
  }

  private static CommandException noPlan(String reason) {
    return new CommandException(ErrorCode.NO_QUERY_EXECUTION_PLANS, ERROR + reason);
  }
}
