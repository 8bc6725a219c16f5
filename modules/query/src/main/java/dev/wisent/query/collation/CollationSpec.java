package dev.wisent.query.collation;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;

/**
 * All that a collation document can say, with the locale's defaults filled in.
 *
 * @param strength from 1 to 5
 */
record CollationSpec(
    String locale,
    boolean caseLevel,
    String caseFirst,
    int strength,
    boolean numericOrdering,
    String alternate,
    String maxVariable,
    boolean normalization,
    boolean backwards) {
  /** What MongoDB 8.0 reports: the release of ICU that its indexes are made with. */
  static final String VERSION = "57.1";

  static final String OFF = "off";
  static final String UPPER = "upper";
  static final String LOWER = "lower";
  static final String NON_IGNORABLE = "non-ignorable";
  static final String SHIFTED = "shifted";
  static final String PUNCT = "punct";
  static final String SPACE = "space";

  RawDocument toDocument() {
    return new BsonBuilder()
        .appendString("locale", locale)
        .appendBoolean("caseLevel", caseLevel)
        .appendString("caseFirst", caseFirst)
        .appendInt32("strength", strength)
        .appendBoolean("numericOrdering", numericOrdering)
        .appendString("alternate", alternate)
        .appendString("maxVariable", maxVariable)
        .appendBoolean("normalization", normalization)
        .appendBoolean("backwards", backwards)
        .appendString("version", VERSION)
        .toDocument();
  }
}
