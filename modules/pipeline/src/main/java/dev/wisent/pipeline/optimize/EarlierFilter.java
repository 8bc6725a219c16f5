package dev.wisent.pipeline.optimize;

import dev.wisent.pipeline.ModifiedPaths;
import dev.wisent.pipeline.ModifiedPaths.Kind;
import dev.wisent.query.expression.Dependencies;
import dev.wisent.query.match.AndMatch;
import dev.wisent.query.match.ExprComparisonMatch;
import dev.wisent.query.match.MatchExpression;
import dev.wisent.query.match.MovedMatch;
import dev.wisent.query.match.NorMatch;
import dev.wisent.query.match.NotMatch;
import dev.wisent.query.match.OrMatch;
import dev.wisent.query.match.PathMatch;
import dev.wisent.query.path.FieldPath;
import java.util.Map;

/** Which condition before a stage says what a condition after it says. */
record EarlierFilter(ModifiedPaths changes) {
  /** The condition to put before the stage; null if there is none that says the same. */
  MatchExpression of(MatchExpression condition) {
    var read = new Dependencies();
    condition.addDependencies(read);
    if (read.needsWholeDocument() || read.isRandom()) {
      return null;
    }
    boolean renamed = false;
    for (String path : read.paths()) {
      if (rename(path) != null) {
        renamed = true;
      } else if (isChanged(path) || (hasChangedSibling(path) && !needsValues(condition))) {
        return null;
      }
    }
    if (!renamed) {
      return condition;
    }
    return MovedMatch.isPossible(condition) ? MovedMatch.of(condition, this::before) : null;
  }

  private FieldPath before(FieldPath path) {
    Map.Entry<String, String> rename = rename(path.dotted());
    return rename == null
        ? path
        : FieldPath.of(rename.getValue() + path.dotted().substring(rename.getKey().length()));
  }

  private Map.Entry<String, String> rename(String path) {
    for (Map.Entry<String, String> rename : changes.renames().entrySet()) {
      if (leadsTo(rename.getKey(), path)) {
        return rename;
      }
    }
    return null;
  }

  private boolean isChanged(String path) {
    return changes.kind() == Kind.ALL
        || (changes.kind() == Kind.THESE
            ? changes.paths().stream().anyMatch(each -> leadsTo(each, path) || leadsTo(path, each))
            : changes.paths().stream().noneMatch(each -> leadsTo(each, path)));
  }

  /** Whether a field beside it is written, which makes documents of what was none. */
  private boolean hasChangedSibling(String path) {
    String top = top(path);
    return changes.kind() == Kind.THESE
        && changes.paths().stream().anyMatch(each -> top(each).equals(top));
  }

  /** Whether a path is the other one, or leads to a document that has it. */
  static boolean leadsTo(String path, String other) {
    return other.startsWith(path)
        && (other.length() == path.length() || other.charAt(path.length()) == '.');
  }

  private static String top(String path) {
    int dot = path.indexOf('.');
    return dot < 0 ? path : path.substring(0, dot);
  }

  /** Whether conditions only look at values, so that it is all one why there is none. */
  private static boolean needsValues(MatchExpression condition) {
    return switch (condition) {
      case AndMatch and -> and.children().stream().allMatch(EarlierFilter::needsValues);
      case OrMatch or -> or.children().stream().allMatch(EarlierFilter::needsValues);
      case NorMatch nor -> nor.children().stream().allMatch(EarlierFilter::needsValues);
      case NotMatch not -> needsValues(not.child());
      case ExprComparisonMatch ignored -> false;
      case PathMatch leaf -> !leaf.matchesValue(null);
      default -> false;
    };
  }
}
