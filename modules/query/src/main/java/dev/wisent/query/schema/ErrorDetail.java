package dev.wisent.query.schema;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Builds one document of {@code errInfo.details}. The methods return the builder. */
public final class ErrorDetail {
  private final BsonBuilder out = new BsonBuilder();
  private final boolean brief;

  ErrorDetail(boolean brief) {
    this.brief = brief;
  }

  public ErrorDetail specifiedAs(RawDocument rule) {
    if (!brief) {
      out.appendDocument("specifiedAs", rule);
    }
    return this;
  }

  /** A keyword and its argument. */
  ErrorDetail specifiedAs(String keyword, RawValue argument) {
    return specifiedAs(new BsonBuilder().append(keyword, argument).toDocument());
  }

  public ErrorDetail reason(String reason) {
    return text("reason", reason);
  }

  public ErrorDetail text(String name, String text) {
    out.appendString(name, text);
    return this;
  }

  public ErrorDetail number(String name, int number) {
    out.appendInt32(name, number);
    return this;
  }

  public ErrorDetail value(String name, RawValue value) {
    out.append(name, value);
    return this;
  }

  public ErrorDetail document(String name, RawDocument document) {
    out.appendDocument(name, document);
    return this;
  }

  public ErrorDetail consideredValue(RawValue value) {
    if (!brief) {
      out.append("consideredValue", value);
    }
    return this;
  }

  /** One value stands for itself, several or none are listed. */
  public ErrorDetail consideredValues(List<RawValue> values) {
    if (values.size() == 1) {
      return consideredValue(values.getFirst());
    }
    return brief ? this : values("consideredValues", values);
  }

  public ErrorDetail flag(String name) {
    out.appendBoolean(name, true);
    return this;
  }

  public ErrorDetail consideredTypes(List<RawValue> values) {
    Set<String> types = new TreeSet<>();
    values.forEach(value -> types.add(ElementType.alias(value.type())));
    return types.isEmpty() ? this : oneOrMany("consideredType", types);
  }

  /** One text under the name, or several under its plural. */
  public ErrorDetail oneOrMany(String name, Collection<String> texts) {
    return texts.size() == 1 ? text(name, texts.iterator().next()) : texts(name + "s", texts);
  }

  ErrorDetail texts(String name, Collection<String> texts) {
    return values(name, texts.stream().map(RawValue::ofString).toList());
  }

  ErrorDetail values(String name, List<RawValue> values) {
    out.startArray(name);
    for (int i = 0; i < values.size(); i++) {
      out.append(i, values.get(i));
    }
    out.end();
    return this;
  }

  public ErrorDetail details(String name, List<RawDocument> details) {
    return values(name, details.stream().map(RawValue::ofDocument).toList());
  }

  /** What a schema says about itself. */
  ErrorDetail annotations(JsonSchema schema) {
    return annotations(schema.source());
  }

  ErrorDetail annotations(RawDocument schema) {
    for (String keyword : List.of("title", "description")) {
      RawValue text = schema.get(keyword);
      if (text != null && text.isString()) {
        out.append(keyword, text);
      }
    }
    return this;
  }

  public RawDocument toDocument() {
    return out.toDocument();
  }
}
