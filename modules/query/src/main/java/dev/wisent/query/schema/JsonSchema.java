package dev.wisent.query.schema;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.interrupt.WorkMeter;
import java.util.ArrayList;
import java.util.List;

/**
 * A schema, ready to run.
 *
 * @param source as it was written
 * @param rules in the order in which broken ones are reported
 * @param impossible whether it asks documents to be of another type
 * @param meter counts the work
 */
public record JsonSchema(
    RawDocument source, List<SchemaRule> rules, boolean impossible, WorkMeter meter) {
  public JsonSchema {
    rules = List.copyOf(rules);
  }

  /** Parses the argument of {@code $jsonSchema}. */
  public static JsonSchema parse(RawDocument schema, WorkMeter meter) {
    return SchemaParser.parse(schema, meter);
  }

  public boolean matches(RawDocument document) {
    return matches(RawValue.ofDocument(document));
  }

  /**
   * @param value null for a missing one
   */
  boolean matches(RawValue value) {
    if (impossible) {
      return false;
    }
    int length = value == null ? 0 : value.length();
    for (int i = 0; i < rules.size(); i++) {
      meter.add(length);
      if (!matches(rules.get(i), value)) {
        return false;
      }
    }
    return true;
  }

  private static boolean matches(SchemaRule rule, RawValue value) {
    return !rule.target().includes(value) || rule.matches(value);
  }

  /** What is wrong with a document that does not match. */
  public RawDocument explain(RawDocument document, Explanation explanation) {
    if (impossible) {
      return explainImpossible(explanation);
    }
    return explanation
        .operator("$jsonSchema")
        .annotations(this)
        .details("schemaRulesNotSatisfied", errors(RawValue.ofDocument(document), explanation))
        .toDocument();
  }

  /** What is wrong with a document that does match but should not. */
  public static RawDocument explainMatch(Explanation explanation) {
    return explanation.operator("$jsonSchema").reason("schema matched").toDocument();
  }

  private RawDocument explainImpossible(Explanation explanation) {
    return explanation
        .operator("$jsonSchema")
        .specifiedAs(new BsonBuilder().appendDocument("$jsonSchema", source).toDocument())
        .reason("expression always evaluates to false")
        .toDocument();
  }

  /** Adds what is wrong with a value to the explanation of the schema around this one. */
  ErrorDetail explainInto(ErrorDetail outer, RawValue value, Explanation explanation) {
    return impossible
        ? outer.document("details", explainImpossible(explanation))
        : outer.details("details", errors(value, explanation));
  }

  List<RawDocument> errors(RawValue value, Explanation explanation) {
    var errors = new ArrayList<RawDocument>();
    for (SchemaRule rule : rules) {
      if (!matches(rule, value)) {
        rule.explain(value, explanation, errors);
      }
    }
    return errors;
  }
}
