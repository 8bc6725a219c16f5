package dev.wisent.server.command.collection;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.Limits;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueText;
import dev.wisent.server.command.ArgumentReader;

/** One entry of {@code createIndexes.indexes}: checked, and in the form that is stored. */
final class IndexSpec {
  private static final int VERSION = 2;

  private RawDocument key;
  private String name;
  private boolean unique;
  private boolean sparse;
  private boolean background;

  private final boolean ignoreUnknown;

  private IndexSpec(boolean ignoreUnknown) {
    this.ignoreUnknown = ignoreUnknown;
  }

  /**
   * @param ignoreUnknown whether options that do not exist are left out instead of refused
   */
  static RawDocument parse(RawDocument given, boolean ignoreUnknown) {
    var spec = new IndexSpec(ignoreUnknown);
    ArgumentReader reader = ArgumentReader.of("createIndexes.indexes", given);
    while (reader.next()) {
      spec.read(reader);
    }
    return spec.finish(given);
  }

  private void read(ArgumentReader reader) {
    switch (reader.name()) {
      case "key" -> key = checkedKey(reader.document());
      case "name" -> name = reader.string();
      case "unique" -> unique = reader.bool();
      case "sparse" -> sparse = reader.bool();
      case "background" -> background = reader.bool();
      case "v" -> checkVersion(reader);
      case "ns", "dropDups" -> reader.value();
      case "collation" -> {
        RawValue locale = reader.document().get("locale");
        if (locale == null || !locale.isString() || !locale.asString().equals("simple")) {
          throw notYet("collation");
        }
      }
      case "hidden", "prepareUnique", "clustered" -> {
        if (reader.bool()) {
          throw notYet(reader.name());
        }
      }
      case "expireAfterSeconds",
          "partialFilterExpression",
          "wildcardProjection",
          "weights",
          "default_language",
          "language_override",
          "textIndexVersion",
          "2dsphereIndexVersion",
          "bits",
          "min",
          "max",
          "storageEngine" ->
          throw notYet(reader.name());
      default -> unknown(reader);
    }
  }

  private void unknown(ArgumentReader reader) {
    if (!ignoreUnknown) {
      throw new CommandException(
          ErrorCode.INVALID_INDEX_SPECIFICATION_OPTION,
          "The field '"
              + reader.name()
              + "' is not valid for an index specification."
              + " Specification: "
              + ValueText.of(key == null ? RawDocument.EMPTY : key));
    }
  }

  private static CommandException notYet(String option) {
    return new CommandException(
        ErrorCode.NOT_IMPLEMENTED, "index option '" + option + "' is not supported yet");
  }

  private static void checkVersion(ArgumentReader reader) {
    long version = reader.wholeNumber();
    if (version != 1 && version != VERSION) {
      throw new CommandException(
          ErrorCode.CANNOT_CREATE_INDEX,
          "Invalid index specification; cannot create an index with v=" + version);
    }
  }

  private static RawDocument checkedKey(RawDocument key) {
    int fields = 0;
    ElementCursor parts = key.elements();
    while (parts.next()) {
      fields++;
      checkField(parts, key);
    }
    if (fields == 0) {
      throw cannotCreate("Index keys cannot be an empty object: {}");
    }
    if (fields > Limits.INDEX_FIELDS_MAX) {
      throw cannotCreate("too many compound keys: " + fields);
    }
    return key;
  }

  private static void checkField(ElementCursor field, RawDocument key) {
    String path = field.name();
    RawValue direction = field.value();
    if (direction.isString()) {
      throw new CommandException(
          ErrorCode.NOT_IMPLEMENTED,
          "index type '" + direction.asString() + "' is not supported yet");
    }
    if (!direction.isNumber()) {
      throw cannotCreate(
          "Values in v:2 index key pattern cannot be of type "
              + ElementType.alias(direction.type())
              + ". Only numbers > 0, numbers < 0, and strings are allowed.");
    }
    double number = direction.toDouble();
    if (number == 0 || Double.isNaN(number)) {
      throw cannotCreate("Values in the index key pattern cannot be 0.");
    }
    if (path.equals("$**") || path.endsWith(".$**")) {
      throw new CommandException(
          ErrorCode.NOT_IMPLEMENTED, "wildcard indexes are not supported yet");
    }
    if (path.isEmpty()
        || path.startsWith(".")
        || path.endsWith(".")
        || path.contains("..")
        || path.startsWith("$")) {
      throw cannotCreate(
          "Index key contains an illegal field name: field name starts or ends with '.', has an"
              + " empty part or starts with '$': "
              + ValueText.of(key));
    }
  }

  private RawDocument finish(RawDocument given) {
    if (key == null) {
      throw new CommandException(
          ErrorCode.FAILED_TO_PARSE,
          "Error in specification "
              + ValueText.of(given)
              + " :: caused by :: The 'key' field is a required property of an index"
              + " specification");
    }
    if (name == null) {
      throw new CommandException(
          ErrorCode.FAILED_TO_PARSE,
          "Error in specification "
              + ValueText.of(given)
              + " :: caused by :: The 'name' field is a required property of an index"
              + " specification");
    }
    if (name.isEmpty() || name.equals("*")) {
      throw cannotCreate("The index name '" + name + "' is not valid.");
    }
    var stored = new BsonBuilder();
    stored.appendInt32("v", VERSION);
    stored.appendDocument("key", key);
    stored.appendString("name", isId() ? "_id_" : name);
    if (background) {
      stored.appendBoolean("background", true);
    }
    if (unique && !isId()) {
      stored.appendBoolean("unique", true);
    }
    if (sparse) {
      stored.appendBoolean("sparse", true);
    }
    return stored.toDocument();
  }

  private boolean isId() {
    ElementCursor fields = key.elements();
    return fields.next()
        && fields.name().equals("_id")
        && fields.value().toDouble() > 0
        && !fields.next();
  }

  private static CommandException cannotCreate(String message) {
    return new CommandException(ErrorCode.CANNOT_CREATE_INDEX, message);
  }
}
