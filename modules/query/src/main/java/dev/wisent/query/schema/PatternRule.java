package dev.wisent.query.schema;

import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.match.RegexMatch;
import java.util.List;

/** {@code pattern}: a regular expression is found in the string. */
record PatternRule(Keyword keyword, RegexMatch regex) implements SchemaRule {
  static SchemaRule parse(Keyword keyword) {
    if (!keyword.value().isString()) {
      throw keyword.wrongType("must be a string");
    }
    return new PatternRule(
        keyword, RegexMatch.ofPattern(keyword.value().asString(), keyword.meter()));
  }

  @Override
  public SchemaTarget target() {
    return SchemaTarget.STRING;
  }

  @Override
  public boolean matches(RawValue value) {
    return regex.matchesValue(value);
  }

  @Override
  public void explain(RawValue value, Explanation explanation, List<RawDocument> errors) {
    errors.add(
        explanation
            .operator(keyword.name())
            .specifiedAs(keyword.name(), keyword.value())
            .reason("regular expression did not match")
            .consideredValue(value)
            .toDocument());
  }
}
