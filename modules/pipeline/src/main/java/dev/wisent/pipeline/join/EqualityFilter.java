package dev.wisent.pipeline.join;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.pipeline.MatchStage;
import dev.wisent.pipeline.Pipeline;
import dev.wisent.pipeline.Stage;
import dev.wisent.query.context.QueryContext;
import java.util.List;

/** Writes filters for documents that have one of some values at a path. */
final class EqualityFilter {
  private EqualityFilter() {}

  /**
   * @param values at least one
   */
  static RawDocument of(String path, List<RawValue> values) {
    var out = new BsonBuilder();
    if (values.size() == 1) {
      out.startDocument(path).append("$eq", values.getFirst()).end();
    } else if (values.stream().anyMatch(EqualityFilter::meansMoreInList)) {
      out.startArray("$or");
      for (int i = 0; i < values.size(); i++) {
        out.startDocument(i).startDocument(path).append("$eq", values.get(i)).end().end();
      }
      out.end();
    } else {
      out.startDocument(path).startArray("$in");
      for (int i = 0; i < values.size(); i++) {
        out.append(i, values.get(i));
      }
      out.end().end();
    }
    return out.toDocument();
  }

  /** Regular expressions would match strings there, and operators are not allowed. */
  private static boolean meansMoreInList(RawValue value) {
    if (value.type() == ElementType.REGEX) {
      return true;
    }
    ElementCursor fields = value.isDocument() ? value.elements() : null;
    return fields != null && fields.next() && fields.nameStartsWith('$');
  }

  /** What passes two filters. */
  static RawDocument both(RawDocument a, RawDocument b) {
    if (a.isEmpty() || b.isEmpty()) {
      return a.isEmpty() ? b : a;
    }
    var out = new BsonBuilder().startArray("$and");
    return out.appendDocument(0, a).appendDocument(1, b).end().toDocument();
  }

  /** The pipeline of the documents that pass a filter; all for an empty one. */
  static Pipeline pipeline(RawDocument filter, QueryContext context) {
    List<Stage> stages =
        filter.isEmpty()
            ? List.of()
            : List.of(MatchStage.parse(RawValue.ofDocument(filter), context));
    return new Pipeline(null, RawDocument.EMPTY, stages);
  }
}
