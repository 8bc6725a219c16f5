package dev.wisent.query.schema;

import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.path.FieldPath;
import dev.wisent.query.path.PathWalk;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/** {@code required}: fields that must be there. They are reported in the order of their names. */
record RequiredRule(Keyword keyword, List<FieldPath> names) implements SchemaRule {
  static SchemaRule parse(Keyword keyword) {
    return new RequiredRule(keyword, names(keyword).stream().map(FieldPath::of).toList());
  }

  static SortedSet<String> names(Keyword keyword) {
    if (!keyword.value().isArray()) {
      throw keyword.wrongType(
          "must be an array, but found an element of type " + Keyword.typeOf(keyword.value()));
    }
    var names = new TreeSet<String>();
    ElementCursor elements = keyword.value().elements();
    while (elements.next()) {
      if (elements.type() != ElementType.STRING) {
        throw keyword.wrongType(
            "must be an array of strings, but found an element of type: "
                + ElementType.alias(elements.type()));
      }
      if (!names.add(elements.value().asString())) {
        throw keyword.failedToParse("array cannot contain duplicate values");
      }
    }
    if (names.isEmpty()) {
      throw keyword.failedToParse("cannot be an empty array");
    }
    return names;
  }

  @Override
  public SchemaTarget target() {
    return SchemaTarget.OBJECT;
  }

  @Override
  public boolean matches(RawValue value) {
    RawDocument document = value.asDocument();
    for (int i = 0; i < names.size(); i++) {
      keyword.meter().add(document.length());
      if (PathWalk.get(document, names.get(i)) == null) {
        return false;
      }
    }
    return true;
  }

  @Override
  public void explain(RawValue value, Explanation explanation, List<RawDocument> errors) {
    errors.add(
        explanation
            .operator(keyword.name())
            .specifiedAs(keyword.name(), keyword.value())
            .texts("missingProperties", missing(value.asDocument(), names))
            .toDocument());
  }

  static List<String> missing(RawDocument document, List<FieldPath> names) {
    var missing = new ArrayList<String>();
    for (FieldPath name : names) {
      if (PathWalk.get(document, name) == null) {
        missing.add(name.dotted());
      }
    }
    return missing;
  }
}
