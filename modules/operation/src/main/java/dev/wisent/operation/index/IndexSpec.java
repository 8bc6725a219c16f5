package dev.wisent.operation.index;

import static dev.wisent.operation.index.IndexKeyCheck.cannotCreate;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueText;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * One entry of {@code createIndexes.indexes}: checked as MongoDB does and in its order, and in the
 * form that is stored.
 */
public final class IndexSpec {
  private static final int VERSION = 2;
  private static final String ID_INDEX_NAME = "_id_";

  private static final Set<String> FLAGS =
      Set.of("background", "unique", "sparse", "dropDups", "prepareUnique", "clustered");
  private static final Set<String> NUMBERS =
      Set.of(
          "2dsphereIndexVersion",
          "textIndexVersion",
          "bits",
          "min",
          "max",
          "bucketSize",
          "coarsestIndexedLevel",
          "finestIndexedLevel");
  private static final Set<String> TEXTS = Set.of("default_language", "language_override");
  private static final Set<String> OTHERS =
      Set.of(
          "key",
          "name",
          "hidden",
          "ns",
          "v",
          "collation",
          "partialFilterExpression",
          "wildcardProjection",
          "weights",
          "expireAfterSeconds",
          "storageEngine");

  /** All that the index on {@code _id} may have. */
  private static final Set<String> ID_OPTIONS = Set.of("key", "name", "ns", "v", "collation");

  private static final Set<String> CLUSTERED_OPTIONS =
      Set.of("key", "name", "unique", "v", "clustered");

  /** Left out of the stored form where they are false. */
  private static final Set<String> SHOWN_IF_SET =
      Set.of("background", "unique", "sparse", "hidden", "prepareUnique", "clustered");

  private final RawDocument given;
  private final Map<String, RawValue> options = new LinkedHashMap<>();

  private IndexSpec(RawDocument given) {
    this.given = given;
  }

  /**
   * @param ignoreUnknown whether options that do not exist are left out instead of refused
   */
  public static RawDocument parse(RawDocument given, boolean ignoreUnknown) {
    var spec = new IndexSpec(given);
    try {
      spec.read(ignoreUnknown);
      spec.checkCombinations();
    } catch (CommandException e) {
      throw new CommandException(
          e.code(),
          "Error in specification " + ValueText.of(given) + " :: caused by :: " + e.getMessage());
    }
    spec.checkName();
    spec.checkLifetime();
    if (IndexKeyCheck.kind(spec.keyOrEmpty()).equals(IndexKeyCheck.TEXT)) {
      TextIndexOptions.complete(spec.options);
    }
    return GeoIndexOptions.complete(spec.stored());
  }

  private void read(boolean ignoreUnknown) {
    boolean clustered = given.get("clustered") != null;
    ElementCursor fields = given.elements();
    while (fields.next()) {
      String option = fields.name();
      if (isKnown(option) && (!clustered || CLUSTERED_OPTIONS.contains(option))) {
        options.put(option, fields.value());
      } else if (!ignoreUnknown) {
        throw new CommandException(
            ErrorCode.INVALID_INDEX_SPECIFICATION_OPTION,
            "The field '"
                + option
                + "' is not valid for "
                + (clustered ? "a clustered" : "an")
                + " index specification. Specification: "
                + ValueText.of(given));
      }
    }
    options.forEach(this::check);
    requirePresent("key");
    requirePresent("name");
  }

  private static boolean isKnown(String option) {
    return FLAGS.contains(option)
        || NUMBERS.contains(option)
        || TEXTS.contains(option)
        || OTHERS.contains(option);
  }

  private void requirePresent(String option) {
    if (!options.containsKey(option)) {
      throw new CommandException(
          ErrorCode.FAILED_TO_PARSE,
          "The '" + option + "' field is a required property of an index specification");
    }
  }

  private void check(String option, RawValue value) {
    if (FLAGS.contains(option)) {
      checkFlag(option, value);
    } else if (NUMBERS.contains(option)) {
      requireType(option, value, value.isNumber(), "a number");
    } else if (TEXTS.contains(option)) {
      requireType(option, value, value.isString(), "a string");
    } else {
      checkOther(option, value);
    }
  }

  private static void checkFlag(String option, RawValue value) {
    if (!value.isNumber() && value.type() != ElementType.BOOLEAN) {
      throw new CommandException(
          ErrorCode.TYPE_MISMATCH,
          "The field '"
              + option
              + " has value "
              + option
              + ": "
              + ValueText.of(value)
              + ", which is not convertible to bool");
    }
  }

  private void checkOther(String option, RawValue value) {
    switch (option) {
      case "key" -> {
        requireType(option, value, value.isDocument(), "an object");
        IndexKeyCheck.check(value.asDocument());
      }
      case "name" -> requireType(option, value, value.isString(), "a string");
      case "hidden" -> requireType(option, value, value.type() == ElementType.BOOLEAN, "a bool");
      case "v" -> checkVersion(value);
      case "collation" -> {
        requireType(option, value, value.isDocument(), "an object");
        CollationOption.check(value.asDocument());
      }
      case "partialFilterExpression" -> {
        requireType(option, value, value.isDocument(), "an object");
        PartialFilterCheck.check(value.asDocument());
      }
      case "wildcardProjection" -> WildcardProjectionCheck.check(keyOrEmpty(), value);
      case "weights" ->
          requireType(option, value, value.isDocument() || value.isString(), "an object");
      case "storageEngine" -> StorageEngineOption.check(value);
      default -> {}
    }
  }

  private RawDocument keyOrEmpty() {
    RawValue key = options.get("key");
    return key == null || !key.isDocument() ? RawDocument.EMPTY : key.asDocument();
  }

  private static void requireType(String option, RawValue value, boolean fits, String type) {
    if (!fits) {
      throw new CommandException(
          ErrorCode.TYPE_MISMATCH,
          "The field '"
              + option
              + "' must be "
              + type
              + ", but got "
              + ElementType.alias(value.type()));
    }
  }

  private void checkVersion(RawValue value) {
    requireType("v", value, value.isNumber(), "a number");
    long version = value.toLong();
    if (version != value.toDouble() || version != (int) version) {
      throw new CommandException(
          ErrorCode.BAD_VALUE,
          "Index version must be representable as a 32-bit integer, but got "
              + ValueText.of(value));
    }
    if (version != 1 && version != VERSION) {
      throw cannotCreate(
          "Invalid index specification "
              + ValueText.of(given)
              + "; cannot create an index with v="
              + version);
    }
  }

  private void checkCombinations() {
    RawDocument key = options.get("key").asDocument();
    String kind = IndexKeyCheck.kind(key);
    checkClustered();
    if (options.containsKey("weights") && !kind.equals(IndexKeyCheck.TEXT)) {
      throw cannotCreate(
          "Invalid index specification "
              + ValueText.of(given)
              + "; the field 'weights' can only be specified with text indexes");
    }
    CollationOption.checkVersion(given, options.get("v"));
    if (isSet("unique") && isSet("prepareUnique")) {
      throw cannotCreate(
          "Invalid index specification "
              + ValueText.of(given)
              + "; cannot create an index with the 'unique' option and the 'prepareUnique' option");
    }
    if (options.containsKey("partialFilterExpression") && isSet("sparse")) {
      throw cannotCreate("cannot mix \"partialFilterExpression\" and \"sparse\" options");
    }
    if (kind.equals(IndexKeyCheck.WILDCARD)) {
      checkWildcard(key);
    }
    if (kind.equals(IndexKeyCheck.HASHED) && (isSet("unique") || isSet("prepareUnique"))) {
      throw new CommandException(
          ErrorCode.HASHED_INDEX_UNIQUE,
          "Currently hashed indexes cannot guarantee uniqueness. Use a regular index.");
    }
  }

  private void checkClustered() {
    if (options.containsKey("clustered")) {
      if (!isSet("clustered")) {
        throw new CommandException(
            ErrorCode.CLUSTERED_NOT_TRUE, "Value 'false' for field 'clustered' is invalid");
      }
      if (!isSet("unique")) {
        throw cannotCreate("The 'unique' field is required when 'clustered' is specified");
      }
    }
  }

  private void checkWildcard(RawDocument key) {
    if (key.get("$**") != null
        && key.fieldCount() > 1
        && !options.containsKey("wildcardProjection")) {
      throw cannotCreate(
          "Compound wildcard indexes on all fields must also specify 'wildcardProjection' option");
    }
    for (String option : new String[] {"sparse", "unique", "prepareUnique"}) {
      if (isSet(option)) {
        throw cannotCreate("Index type 'wildcard' does not support the '" + option + "' option");
      }
    }
    if (options.containsKey("expireAfterSeconds")) {
      throw cannotCreate(
          "cannot make a TTL index :: caused by :: Index type 'wildcard' does not support the"
              + " 'expireAfterSeconds' option");
    }
    if (options.containsKey("v") && options.get("v").toLong() < VERSION) {
      throw cannotCreate("Index type 'wildcard' is not allowed with index version v: 1");
    }
  }

  private boolean isSet(String flag) {
    RawValue value = options.get(flag);
    return value != null && value.isTruthy();
  }

  private void checkName() {
    String name = options.get("name").asString();
    if (isIdPattern()) {
      checkIdIndex();
      return;
    }
    if (name.equals(ID_INDEX_NAME)) {
      throw new CommandException(
          ErrorCode.BAD_VALUE,
          "The index name '_id_' is reserved for the _id index, which must have key pattern {_id:"
              + " 1}, found key: "
              + ValueText.of(options.get("key")));
    }
    if (name.equals("*")) {
      throw new CommandException(ErrorCode.BAD_VALUE, "The index name '*' is not valid.");
    }
    if (name.isEmpty()) {
      throw cannotCreate("index name cannot be empty");
    }
    if (name.indexOf('\0') >= 0) {
      throw cannotCreate("index name cannot contain NUL bytes");
    }
  }

  private boolean isIdPattern() {
    ElementCursor fields = options.get("key").elements();
    return fields.next()
        && fields.name().equals("_id")
        && fields.value().isNumber()
        && Math.abs(fields.value().toLong()) == 1
        && !fields.next();
  }

  private void checkIdIndex() {
    if (!options.containsKey("clustered")) {
      for (String option : options.keySet()) {
        if (option.equals("hidden")) {
          throw new CommandException(ErrorCode.BAD_VALUE, "can't hide _id index");
        }
        if (!ID_OPTIONS.contains(option)) {
          throw new CommandException(
              ErrorCode.INVALID_INDEX_SPECIFICATION_OPTION,
              "The field '"
                  + option
                  + "' is not valid for an _id index specification. Specification: "
                  + ValueText.of(withVersion()));
        }
      }
    }
    RawDocument key = options.get("key").asDocument();
    if (key.get("_id").toDouble() != 1) {
      throw new CommandException(
          ErrorCode.BAD_VALUE,
          "The field 'key' for an _id index must be {_id: 1}, but got " + ValueText.of(key));
    }
  }

  private RawDocument withVersion() {
    if (options.containsKey("v")) {
      return given;
    }
    return new BsonBuilder().appendAll(given).appendInt32("v", VERSION).toDocument();
  }

  private void checkLifetime() {
    RawValue seconds = options.get("expireAfterSeconds");
    if (seconds == null) {
      return;
    }
    try {
      ExpireAfterSeconds.ofIndex(seconds);
    } catch (CommandException e) {
      throw cannotCreate(
          ". Index spec: " + ValueText.of(given) + " :: caused by :: " + e.getMessage());
    }
    if (options.get("key").asDocument().fieldCount() != 1) {
      throw cannotCreate(
          "TTL indexes are single-field indexes, compound indexes do not support TTL. Index spec: "
              + ValueText.of(given));
    }
  }

  private RawDocument stored() {
    var stored = new BsonBuilder();
    RawValue version = options.get("v");
    stored.appendInt32("v", version == null ? VERSION : (int) version.toLong());
    stored.append("key", options.get("key"));
    stored.appendString("name", isIdPattern() ? ID_INDEX_NAME : options.get("name").asString());
    options.forEach(
        (option, value) -> {
          switch (option) {
            case "v", "key", "name", "ns", "dropDups" -> {}
            case "expireAfterSeconds" ->
                stored.appendInt32(option, ExpireAfterSeconds.ofIndex(value));
            default -> {
              if (!SHOWN_IF_SET.contains(option)) {
                stored.append(option, value);
              } else if (value.isTruthy()) {
                stored.appendBoolean(option, true);
              }
            }
          }
        });
    return stored.toDocument();
  }
}
