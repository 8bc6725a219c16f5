package dev.wisent.sharding.advice;

import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Which fields queries ask for. */
final class QueryUse {
  private static final Set<String> RANGES = Set.of("$gt", "$gte", "$lt", "$lte");

  private final Map<String, Long> equality = new HashMap<>();
  private final Map<String, Long> range = new HashMap<>();

  QueryUse(List<SampledQuery> queries) {
    queries.forEach(query -> count(query.filter()));
  }

  private void count(RawDocument filter) {
    for (ElementCursor each = filter.elements(); each.next(); ) {
      RawValue value = each.value();
      if (each.name().equals("$and") && value.isArray()) {
        for (ElementCursor part = value.elements(); part.next(); ) {
          if (part.value().isDocument()) {
            count(part.value().asDocument());
          }
        }
      } else if (!each.name().startsWith("$")) {
        (isRange(value) ? range : equality).merge(each.name(), 1L, Long::sum);
      }
    }
  }

  private static boolean isRange(RawValue value) {
    if (!value.isDocument()) {
      return false;
    }
    ElementCursor operators = value.elements();
    return operators.next() && RANGES.contains(operators.name());
  }

  long equality(String path) {
    return equality.getOrDefault(path, 0L);
  }

  long range(String path) {
    return range.getOrDefault(path, 0L);
  }
}
