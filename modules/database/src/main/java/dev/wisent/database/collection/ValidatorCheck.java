package dev.wisent.database.collection;

import dev.wisent.bson.RawDocument;
import dev.wisent.query.match.MatchParser;

/** Whether a document can be the validator of a collection. */
public final class ValidatorCheck {
  private ValidatorCheck() {}

  /** Parses the validator for its errors. */
  public static void check(RawDocument validator) {
    MatchParser.parse(validator, QueryContexts.ofCollection());
  }
}
