package dev.wisent.query.schema;

/** How many of something there may be: the argument of {@code minItems} and the like. */
record CountLimit(boolean maximum, long count) {
  static CountLimit of(Keyword keyword) {
    return new CountLimit(keyword.name().startsWith("max"), keyword.count());
  }

  boolean allows(long number) {
    return maximum ? number <= count : number >= count;
  }
}
