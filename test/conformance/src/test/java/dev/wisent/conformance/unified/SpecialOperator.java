package dev.wisent.conformance.unified;

import java.util.Arrays;
import org.bson.BsonDocument;
import org.opentest4j.TestAbortedException;

/** The {@code $$} operators that may stand in place of an expected value. */
enum SpecialOperator {
  EXISTS("$$exists"),
  TYPE("$$type"),
  UNSET_OR_MATCHES("$$unsetOrMatches"),
  MATCHES_ENTITY("$$matchesEntity"),
  MATCHES_HEX_BYTES("$$matchesHexBytes"),
  SESSION_LSID("$$sessionLsid"),
  LTE("$$lte"),
  MATCH_AS_DOCUMENT("$$matchAsDocument"),
  MATCH_AS_ROOT("$$matchAsRoot");

  private final String text;

  SpecialOperator(String text) {
    this.text = text;
  }

  static boolean isIn(BsonDocument document) {
    return document.size() == 1 && document.getFirstKey().startsWith("$$");
  }

  static SpecialOperator of(BsonDocument document) {
    String name = document.getFirstKey();
    return Arrays.stream(values())
        .filter(operator -> operator.text.equals(name))
        .findFirst()
        .orElseThrow(() -> new TestAbortedException("matching operator " + name));
  }
}
