package dev.wisent.operation.diagnostic;

import java.util.List;
import java.util.Map;

/**
 * What a check found.
 *
 * @param records how many documents there are
 * @param keysPerIndex how many entries each index has, by its name
 * @param errors what does not agree; empty for a sound collection
 */
public record ValidationReport(
    long records,
    long invalidDocuments,
    Map<String, Long> keysPerIndex,
    Map<String, List<String>> indexErrors,
    List<String> errors) {
  public boolean isValid() {
    return errors.isEmpty() && indexErrors.values().stream().allMatch(List::isEmpty);
  }
}
