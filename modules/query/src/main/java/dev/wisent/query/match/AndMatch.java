package dev.wisent.query.match;

import dev.wisent.bson.RawValue;
import java.util.List;

/** All of the conditions: {@code $and}, several fields in one document, and {@code $all}. */
public record AndMatch(List<MatchExpression> children) implements MatchExpression {
  public AndMatch {
    children = List.copyOf(children);
  }

  /** One condition stands for itself; none at all is always true. */
  public static MatchExpression of(List<MatchExpression> conditions) {
    return switch (conditions.size()) {
      case 0 -> AlwaysMatch.TRUE;
      case 1 -> conditions.getFirst();
      default -> new AndMatch(conditions);
    };
  }

  @Override
  public boolean matches(RawValue root, int boundParts, MatchDetails details) {
    for (int i = 0; i < children.size(); i++) {
      if (!children.get(i).matches(root, boundParts, details)) {
        if (details != null) {
          details.reset();
        }
        return false;
      }
    }
    return true;
  }

  @Override
  public boolean matchesValue(RawValue value) {
    for (int i = 0; i < children.size(); i++) {
      if (!children.get(i).matchesValue(value)) {
        return false;
      }
    }
    return true;
  }
}
