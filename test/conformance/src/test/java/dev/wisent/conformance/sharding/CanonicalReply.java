package dev.wisent.conformance.sharding;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.bson.Document;
import org.bson.types.Decimal128;

/**
 * Replies as text that is the same for equal answers. Of numbers that are equal it does not show
 * the type: which of them stands for a group depends on which comes first.
 */
final class CanonicalReply {
  /** What clients look at. Messages may name what lies on a shard. */
  private static final Set<String> FIELDS =
      Set.of(
          "n",
          "nModified",
          "ok",
          "upserted",
          "value",
          "lastErrorObject",
          "nErrors",
          "nInserted",
          "nMatched",
          "nUpserted",
          "nDeleted");

  private CanonicalReply() {}

  static List<String> of(Document reply) {
    var lines = new ArrayList<String>();
    for (Map.Entry<String, Object> field : reply.entrySet()) {
      if (FIELDS.contains(field.getKey())) {
        lines.add(field.getKey() + " " + text(field.getValue()));
      }
    }
    if (reply.containsKey("values")) {
      reply.getList("values", Object.class).forEach(value -> lines.add(text(value)));
    }
    // Of a bulkWrite.
    Document cursor = reply.get("cursor", new Document());
    for (Document each : cursor.getList("firstBatch", Document.class, List.of())) {
      each.remove("errmsg");
      lines.add((each.containsKey("code") ? "error " : "result ") + text(each));
    }
    for (Document error : reply.getList("writeErrors", Document.class, List.of())) {
      lines.add("error " + error.get("index") + " " + error.get("code"));
    }
    lines.sort(Comparator.naturalOrder());
    return lines;
  }

  static String text(Object value) {
    return switch (value) {
      case Map<?, ?> document -> {
        var out = new StringBuilder("{");
        document.forEach(
            (name, each) -> out.append(name).append(": ").append(text(each)).append(", "));
        yield out.append('}').toString();
      }
      case List<?> list -> {
        var out = new StringBuilder("[");
        list.forEach(each -> out.append(text(each)).append(", "));
        yield out.append(']').toString();
      }
      case Decimal128 decimal -> Double.toString(decimal.doubleValue());
      case Number number -> Double.toString(number.doubleValue());
      case String string -> "'" + string + "'";
      case null -> "null";
      default -> value.toString();
    };
  }
}
