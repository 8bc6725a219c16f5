package dev.wisent.operation.index;

import static dev.wisent.operation.index.IndexKeyCheck.cannotCreate;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.path.FieldPath;
import dev.wisent.query.text.TextIndexSpec;
import dev.wisent.query.text.TextLanguage;
import java.util.Map;
import java.util.TreeMap;

/**
 * The options of a text index, checked as MongoDB does and with what was left out: the fields in
 * the key become weights, and the key has a term and its score in their place.
 */
final class TextIndexOptions {
  private static final int WEIGHT_LIMIT = 100_000;
  private static final String TERM = TextIndexSpec.TERM_FIELD;
  private static final String SCORE = TextIndexSpec.SCORE_FIELD;

  private final Map<String, RawValue> options;
  private final Map<String, Integer> weights = new TreeMap<>();

  private TextIndexOptions(Map<String, RawValue> options) {
    this.options = options;
  }

  /** Replaces the options of a text index by those that are stored. */
  static void complete(Map<String, RawValue> options) {
    new TextIndexOptions(options).complete();
  }

  private void complete() {
    RawDocument key = options.get("key").asDocument();
    RawDocument stored = storedKey(key);
    checkOrder(key);
    readWeights();
    String language = defaultLanguage();
    String languageField = languageField();
    checkVersion();
    options.put("key", RawValue.ofDocument(stored));
    options.put("weights", RawValue.ofDocument(checkedWeights()));
    options.put("default_language", RawValue.ofString(language));
    options.put("language_override", RawValue.ofString(languageField));
    options.remove("textIndexVersion");
    options.put("textIndexVersion", RawValue.ofInt32(TextIndexSpec.VERSION));
  }

  private RawDocument storedKey(RawDocument key) {
    var stored = new BsonBuilder();
    boolean hasTerm = false;
    ElementCursor fields = key.elements();
    while (fields.next()) {
      RawValue value = fields.value();
      if (fields.name().equals(TERM)) {
        if (!isText(value)) {
          throw cannotCreate("expecting _fts:\"text\"");
        }
        hasTerm = true;
        stored.append(TERM, value);
      } else if (fields.name().equals(SCORE)) {
        if (!value.isNumber() || value.toLong() != 1) {
          throw cannotCreate("expecting _ftsx:1");
        }
        stored.append(SCORE, value);
      } else if (isText(value)) {
        if (!hasTerm) {
          stored.appendString(TERM, TextIndexSpec.KIND).appendInt32(SCORE, 1);
          hasTerm = true;
        }
        weights.put(fields.name(), 1);
      } else if (!value.isNumber() || Math.abs(value.toLong()) != 1) {
        throw cannotCreate("expected value 1 or -1 for non-text key in compound index");
      } else {
        stored.append(fields.name(), value);
      }
    }
    return stored.toDocument();
  }

  private static boolean isText(RawValue value) {
    return value.isString() && value.asString().equals(TextIndexSpec.KIND);
  }

  /** Other fields stand in front of all text fields or behind them. */
  private static void checkOrder(RawDocument key) {
    ElementCursor fields = key.elements();
    boolean more = fields.next();
    while (more && !fields.value().isString()) {
      checkNotReserved(fields.name());
      more = fields.next();
    }
    if (!more) {
      throw cannotCreate("expected additional fields in text index key pattern");
    }
    if (fields.name().equals(TERM)) {
      if (!fields.next() || !fields.name().equals(SCORE)) {
        throw cannotCreate("expected _ftsx after _fts");
      }
      more = fields.next();
    } else {
      while (more && fields.value().isString()) {
        checkNotReserved(fields.name());
        more = fields.next();
      }
    }
    while (more) {
      if (fields.value().isString()) {
        throw cannotCreate("'text' fields in index must all be adjacent");
      }
      checkNotReserved(fields.name());
      more = fields.next();
    }
  }

  private static void checkNotReserved(String name) {
    if (name.equals(TERM) || name.equals(SCORE)) {
      throw cannotCreate("text index with reserved fields _fts/_ftsx not allowed");
    }
  }

  private void readWeights() {
    RawValue given = options.get("weights");
    if (given == null) {
      return;
    }
    if (given.isString()) {
      if (!given.asString().equals(TextIndexSpec.WILDCARD)) {
        throw cannotCreate("text index option 'weights' must be an object");
      }
      weights.put(TextIndexSpec.WILDCARD, 1);
      return;
    }
    ElementCursor fields = given.elements();
    while (fields.next()) {
      if (!fields.value().isNumber()) {
        throw cannotCreate("weight for text index needs numeric type");
      }
      long weight = fields.value().toLong();
      weights.put(fields.name(), Math.clamp(weight, Integer.MIN_VALUE, Integer.MAX_VALUE));
    }
  }

  private RawDocument checkedWeights() {
    if (weights.isEmpty()) {
      throw cannotCreate("text index option 'weights' must specify fields or the wildcard");
    }
    var checked = new BsonBuilder();
    weights.forEach(
        (field, weight) -> {
          if (weight <= 0 || weight >= WEIGHT_LIMIT) {
            throw cannotCreate(
                "text index weight must be in the exclusive interval (0,"
                    + WEIGHT_LIMIT
                    + ") but found: "
                    + weight);
          }
          checkWeighted(field);
          checked.appendInt32(field, weight);
        });
    return checked.toDocument();
  }

  private static void checkWeighted(String field) {
    if (field.equals(TextIndexSpec.WILDCARD)) {
      return;
    }
    if (field.isEmpty()) {
      throw cannotCreate("weight cannot be on an empty field");
    }
    FieldPath path = FieldPath.of(field);
    for (int i = 0; i < path.length(); i++) {
      if (path.name(i).isEmpty()) {
        throw cannotCreate("weight cannot have empty path component");
      }
      if (path.name(i).startsWith("$")) {
        throw cannotCreate("weight cannot have path component with $ prefix");
      }
    }
  }

  private String defaultLanguage() {
    RawValue given = options.get("default_language");
    if (given == null) {
      return TextLanguage.ENGLISH.text();
    }
    if (TextLanguage.find(given.asString()) == null) {
      throw cannotCreate("default_language is not valid");
    }
    return given.asString();
  }

  private String languageField() {
    RawValue given = options.get("language_override");
    if (given == null) {
      return "language";
    }
    String field = given.asString();
    if (field.isEmpty() || field.startsWith("$") || field.contains(".")) {
      throw cannotCreate("language_override is not valid");
    }
    return field;
  }

  private void checkVersion() {
    RawValue given = options.get("textIndexVersion");
    long version = given == null ? TextIndexSpec.VERSION : given.toLong();
    if (version == TextIndexSpec.VERSION - 1) {
      throw new CommandException(
          ErrorCode.NOT_IMPLEMENTED, "text indexes of version 2 are not supported");
    }
    if (version != TextIndexSpec.VERSION) {
      throw cannotCreate("bad textIndexVersion: " + version);
    }
  }
}
