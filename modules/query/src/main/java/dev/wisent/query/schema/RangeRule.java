package dev.wisent.query.schema;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.match.ComparisonMatch;
import dev.wisent.query.match.ComparisonMatch.Comparison;
import dev.wisent.query.path.FieldPath;
import java.util.List;

/** {@code minimum} and {@code maximum}, each with its {@code exclusive} form. */
record RangeRule(Keyword keyword, String exclusive, ComparisonMatch comparison)
    implements SchemaRule {
  private static final FieldPath NO_PATH = FieldPath.of("");

  static SchemaRule parse(Keyword keyword) {
    boolean maximum = keyword.name().equals("maximum");
    String exclusiveName = maximum ? "exclusiveMaximum" : "exclusiveMinimum";
    Keyword flag = keyword.sibling(exclusiveName);
    boolean exclusive = flag != null && flag.bool();
    RawValue bound = keyword.number();
    Comparison comparison;
    if (maximum) {
      comparison = exclusive ? Comparison.LT : Comparison.LTE;
    } else {
      comparison = exclusive ? Comparison.GT : Comparison.GTE;
    }
    return new RangeRule(
        keyword,
        exclusive ? exclusiveName : null,
        ComparisonMatch.of(comparison, NO_PATH, bound, null, keyword.meter()));
  }

  /** The flags say nothing on their own; {@link #parse} reads them. */
  static SchemaRule parseExclusive(Keyword keyword) {
    String bound = keyword.name().equals("exclusiveMaximum") ? "maximum" : "minimum";
    if (keyword.sibling(bound) == null) {
      throw new Keyword(bound, keyword.value(), keyword.schema(), keyword.top(), keyword.meter())
          .failedToParse("must be a present if " + keyword.name() + " is present");
    }
    return null;
  }

  @Override
  public SchemaTarget target() {
    return SchemaTarget.NUMBER;
  }

  @Override
  public boolean matches(RawValue value) {
    return comparison.matchesValue(value);
  }

  @Override
  public void explain(RawValue value, Explanation explanation, List<RawDocument> errors) {
    var rule = new BsonBuilder().append(keyword.name(), keyword.value());
    if (exclusive != null) {
      rule.appendBoolean(exclusive, true);
    }
    errors.add(
        explanation
            .operator(keyword.name())
            .specifiedAs(rule.toDocument())
            .reason("comparison failed")
            .consideredValue(value)
            .toDocument());
  }
}
