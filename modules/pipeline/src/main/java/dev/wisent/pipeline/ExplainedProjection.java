package dev.wisent.pipeline;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.projection.Projection;

/** A projection as explain shows it. */
final class ExplainedProjection {
  private static final String ID = "_id";

  private ExplainedProjection() {}

  /** Whether a field is kept is a boolean here, and that of {@code _id} is always said. */
  static RawDocument of(Projection projection) {
    var out = new BsonBuilder();
    RawValue id = projection.source().get(ID);
    boolean computedId = id != null && isComputed(projection, id);
    if (projection.isInclusion() && !computedId) {
      out.appendBoolean(ID, id == null || id.isTruthy());
    }
    ElementCursor fields = projection.source().elements();
    while (fields.next()) {
      RawValue value = fields.value();
      if (fields.name().equals(ID) || isComputed(projection, value)) {
        continue;
      }
      out.append(fields.name(), value.isNumber() ? RawValue.ofBoolean(value.isTruthy()) : value);
    }
    if (!projection.isInclusion()) {
      out.appendBoolean(ID, id == null || id.isTruthy());
    }
    if (projection.computed() != null) {
      // What is nested in the argument stands there already.
      projection
          .computed()
          .serialize(
              out,
              name -> {
                RawValue source = projection.source().get(name);
                return source == null || isComputed(projection, source);
              });
    }
    return out.toDocument();
  }

  private static boolean isComputed(Projection projection, RawValue value) {
    if (projection.computed() == null || value.isNumber() || value.type() == ElementType.BOOLEAN) {
      return false;
    }
    ElementCursor fields = value.isDocument() ? value.elements() : null;
    return fields == null || (fields.next() && fields.nameStartsWith('$'));
  }
}
