package dev.wisent.database.changestream;

import dev.wisent.pipeline.Stage;
import dev.wisent.pipeline.optimize.Conjunction;
import dev.wisent.query.expression.Dependencies;
import dev.wisent.query.match.MatchExpression;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Conditions of the stages behind {@code $changeStream} that {@link EventDocument#head} can be
 * asked before the rest of an event is made.
 */
record EventFilter(List<MatchExpression> conditions) {
  /** The fields of the head. */
  private static final Set<String> FIELDS =
      Set.of("operationType", "clusterTime", "wallTime", "ns", "documentKey");

  /**
   * @param stages those behind {@code $changeStream}
   */
  static EventFilter of(List<Stage> stages) {
    var conditions = new ArrayList<MatchExpression>();
    for (Stage stage : stages) {
      if (stage.filter() == null) {
        break;
      }
      for (MatchExpression condition : Conjunction.of(stage.filter())) {
        if (isOnHead(condition)) {
          conditions.add(condition);
        }
      }
    }
    return new EventFilter(List.copyOf(conditions));
  }

  private static boolean isOnHead(MatchExpression condition) {
    var read = new Dependencies();
    condition.addDependencies(read);
    return !read.needsWholeDocument()
        && !read.isRandom()
        && !read.paths().isEmpty()
        && read.paths().stream().allMatch(path -> FIELDS.contains(top(path)));
  }

  private static String top(String path) {
    int dot = path.indexOf('.');
    return dot < 0 ? path : path.substring(0, dot);
  }

  boolean matches(ChangeEvent event) {
    if (conditions.isEmpty()) {
      return true;
    }
    var head = EventDocument.head(event);
    return conditions.stream().allMatch(condition -> condition.matches(head));
  }
}
