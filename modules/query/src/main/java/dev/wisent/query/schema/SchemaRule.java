package dev.wisent.query.schema;

import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import java.util.List;

/** One keyword of a schema, with its argument. */
interface SchemaRule {
  /** The values that the rule is about; it is asked for no others. */
  SchemaTarget target();

  /**
   * @param value null for a missing one, which only rules about {@link SchemaTarget#ANY} get to see
   */
  boolean matches(RawValue value);

  /**
   * Adds what is wrong with a value that does not match. A rule may have nothing to say: where a
   * property is missing, {@code required} speaks for it.
   */
  void explain(RawValue value, Explanation explanation, List<RawDocument> errors);
}
