package dev.wisent.query.match;

import dev.wisent.bson.RawValue;
import java.util.List;

/** At least one of the conditions. */
public record OrMatch(List<MatchExpression> children) implements MatchExpression {
  public OrMatch {
    children = List.copyOf(children);
  }

  @Override
  public boolean matches(RawValue root, int boundParts, MatchDetails details) {
    for (int i = 0; i < children.size(); i++) {
      if (children.get(i).matches(root, boundParts, null)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public boolean matchesValue(RawValue value) {
    for (int i = 0; i < children.size(); i++) {
      if (children.get(i).matchesValue(value)) {
        return true;
      }
    }
    return false;
  }
}
