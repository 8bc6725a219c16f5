package dev.wisent.conformance.unified;

import com.mongodb.client.model.Collation;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.opentest4j.TestAbortedException;

/**
 * The arguments of one operation.
 *
 * <p>It remembers which ones were read: an argument that was not asked for means that the runner
 * does not support it, and the case must not count as passed.
 */
final class Arguments {

  /**
   * Asks an 8.2 server for the raw buckets of a time-series collection. The Java driver does not
   * have it, and below 8.2 it has no effect by definition.
   */
  private static final String RAW_DATA = "rawData";

  private final String operation;
  private final BsonDocument document;
  private final Set<String> unread;

  Arguments(String operation, BsonDocument document) {
    this.operation = operation;
    this.document = document;
    this.unread = new LinkedHashSet<>(document.keySet());
    unread.remove(RAW_DATA);
  }

  BsonValue value(String name) {
    return optional(name)
        .orElseThrow(() -> new IllegalArgumentException(operation + " needs the argument " + name));
  }

  Optional<BsonValue> optional(String name) {
    unread.remove(name);
    return Optional.ofNullable(document.get(name));
  }

  BsonDocument document(String name) {
    return value(name).asDocument();
  }

  /** A document argument that counts as empty when it is missing. */
  BsonDocument documentOrEmpty(String name) {
    return optional(name).map(BsonValue::asDocument).orElseGet(BsonDocument::new);
  }

  String string(String name) {
    return value(name).asString().getValue();
  }

  List<BsonDocument> documents(String name) {
    return documents(value(name).asArray());
  }

  boolean isArray(String name) {
    return optional(name).map(BsonValue::isArray).orElse(false);
  }

  void ifValue(String name, Consumer<BsonValue> setter) {
    optional(name).ifPresent(setter);
  }

  void ifDocument(String name, Consumer<BsonDocument> setter) {
    optional(name).map(BsonValue::asDocument).ifPresent(setter);
  }

  void ifDocuments(String name, Consumer<List<BsonDocument>> setter) {
    optional(name).map(value -> documents(value.asArray())).ifPresent(setter);
  }

  void ifString(String name, Consumer<String> setter) {
    optional(name).map(value -> value.asString().getValue()).ifPresent(setter);
  }

  void ifBoolean(String name, Consumer<Boolean> setter) {
    optional(name).map(value -> value.asBoolean().getValue()).ifPresent(setter);
  }

  void ifInt(String name, Consumer<Integer> setter) {
    optional(name).map(value -> value.asNumber().intValue()).ifPresent(setter);
  }

  void ifLong(String name, Consumer<Long> setter) {
    optional(name).map(value -> value.asNumber().longValue()).ifPresent(setter);
  }

  void ifCollation(Consumer<Collation> setter) {
    ifDocument("collation", value -> setter.accept(DriverOptions.collation(value)));
  }

  /** A hint is either the key pattern of an index or its name. */
  void ifHint(Consumer<BsonDocument> pattern, Consumer<String> name) {
    ifValue(
        "hint",
        hint -> {
          if (hint.isString()) {
            name.accept(hint.asString().getValue());
          } else {
            pattern.accept(hint.asDocument());
          }
        });
  }

  /** What has not been read so far, as a document of its own. */
  BsonDocument rest() {
    BsonDocument rest = new BsonDocument();
    unread.forEach(name -> rest.put(name, document.get(name)));
    unread.clear();
    return rest;
  }

  /** Skips the case when an argument was never looked at. */
  void requireAllRead() {
    if (!unread.isEmpty()) {
      throw new TestAbortedException("argument " + unread + " of " + operation);
    }
  }

  private static List<BsonDocument> documents(BsonArray array) {
    return array.stream().map(BsonValue::asDocument).toList();
  }
}
