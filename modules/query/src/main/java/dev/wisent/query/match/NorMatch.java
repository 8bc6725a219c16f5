package dev.wisent.query.match;

import dev.wisent.bson.RawValue;
import java.util.List;

/** None of the conditions. */
public record NorMatch(List<MatchExpression> children) implements MatchExpression {
  public NorMatch {
    children = List.copyOf(children);
  }

  @Override
  public boolean matches(RawValue root, int boundParts, MatchDetails details) {
    for (int i = 0; i < children.size(); i++) {
      if (children.get(i).matches(root, boundParts, null)) {
        return false;
      }
    }
    return true;
  }

  @Override
  public boolean matchesValue(RawValue value) {
    for (int i = 0; i < children.size(); i++) {
      if (children.get(i).matchesValue(value)) {
        return false;
      }
    }
    return true;
  }
}
