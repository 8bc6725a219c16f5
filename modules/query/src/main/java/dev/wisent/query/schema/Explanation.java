package dev.wisent.query.schema;

/**
 * How much an explanation tells.
 *
 * @param brief leaves out the rules and the values, because with them it would be too large
 */
public record Explanation(boolean brief) {
  public ErrorDetail detail() {
    return new ErrorDetail(brief);
  }

  public ErrorDetail operator(String name) {
    return detail().text("operatorName", name);
  }
}
