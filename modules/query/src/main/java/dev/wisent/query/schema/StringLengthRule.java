package dev.wisent.query.schema;

import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import java.util.List;

/** {@code minLength} and {@code maxLength}: how many code points a string has. */
record StringLengthRule(Keyword keyword, CountLimit limit) implements SchemaRule {
  static SchemaRule parse(Keyword keyword) {
    return new StringLengthRule(keyword, CountLimit.of(keyword));
  }

  @Override
  public SchemaTarget target() {
    return SchemaTarget.STRING;
  }

  @Override
  public boolean matches(RawValue value) {
    return limit.allows(codePoints(value));
  }

  /** In UTF-8, every byte that does not continue a code point begins one. */
  private static long codePoints(RawValue string) {
    byte[] bytes = string.bytes();
    int end = string.offset() + string.length() - 1;
    long count = 0;
    for (int i = string.offset() + 4; i < end; i++) {
      if ((bytes[i] & 0xC0) != 0x80) {
        count++;
      }
    }
    return count;
  }

  @Override
  public void explain(RawValue value, Explanation explanation, List<RawDocument> errors) {
    errors.add(
        explanation
            .operator(keyword.name())
            .specifiedAs(keyword.name(), keyword.value())
            .reason("specified string length was not satisfied")
            .consideredValue(value)
            .toDocument());
  }
}
