package dev.wisent.operation.index;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.Limits;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueText;
import dev.wisent.query.key.WildcardPaths;
import dev.wisent.query.path.FieldPath;
import dev.wisent.query.text.TextIndexSpec;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The key pattern of an index, with the errors that MongoDB has for a wrong one. */
public final class IndexKeyCheck {
  static final String HASHED = "hashed";
  static final String WILDCARD = "wildcard";
  static final String TEXT = TextIndexSpec.KIND;

  private static final int KEY_BYTES_MAX = 2048;
  private static final Set<String> KNOWN_KINDS =
      Set.of(HASHED, WILDCARD, TEXT, "2d", "2dsphere", "2dsphere_bucket", "columnstore");
  private static final Set<String> DBREF_FIELDS = Set.of("$db", "$id", "$ref");

  private final RawDocument key;
  private final String kind;

  private IndexKeyCheck(RawDocument key) {
    this.key = key;
    this.kind = kind(key);
  }

  /** What kind of index a key pattern asks for; empty for an ordinary one. */
  public static String kind(RawDocument key) {
    ElementCursor fields = key.elements();
    while (fields.next()) {
      if (fields.value().isString()) {
        return fields.value().asString();
      }
      if (WildcardPaths.isWildcard(fields.name())) {
        return WILDCARD;
      }
    }
    return "";
  }

  static void check(RawDocument key) {
    new IndexKeyCheck(key).check();
  }

  private void check() {
    checkDuplicates();
    if (key.length() > KEY_BYTES_MAX) {
      throw cannotCreate("Index key pattern too large.");
    }
    if (key.isEmpty()) {
      throw cannotCreate("Index keys cannot be empty.");
    }
    checkKind();
    int hashed = 0;
    ElementCursor fields = key.elements();
    while (fields.next()) {
      checkValue(fields.value());
      checkName(fields.name(), fields.value());
      hashed += kind.equals(HASHED) && fields.value().isString() ? 1 : 0;
    }
    if (hashed > 1) {
      throw new CommandException(
          ErrorCode.SEVERAL_HASHED_FIELDS,
          "A maximum of one index field is allowed to be hashed but found "
              + hashed
              + " for 'key' "
              + ValueText.of(key));
    }
    if (key.fieldCount() > Limits.INDEX_FIELDS_MAX) {
      throw new CommandException(ErrorCode.TOO_MANY_COMPOUND_KEYS, "too many compound keys");
    }
  }

  private void checkDuplicates() {
    var names = new HashSet<String>();
    ElementCursor fields = key.elements();
    while (fields.next()) {
      if (!names.add(fields.name())) {
        throw new CommandException(
            ErrorCode.BAD_VALUE,
            "The field '"
                + fields.name()
                + "' appears multiple times in the index key pattern "
                + ValueText.of(key));
      }
    }
  }

  private void checkKind() {
    if (kind.equals("geoHaystack")) {
      throw cannotCreate("GeoHaystack indexes cannot be created in version 5.0 and above");
    }
    if (!kind.isEmpty() && !KNOWN_KINDS.contains(kind)) {
      throw cannotCreate("Unknown index plugin '" + kind + "'");
    }
    boolean supported =
        kind.isEmpty()
            || kind.equals(HASHED)
            || kind.equals(WILDCARD)
            || kind.equals(TEXT)
            || GeoIndexOptions.isGeo(kind);
    if (!supported) {
      throw new CommandException(
          ErrorCode.NOT_IMPLEMENTED, "index type '" + kind + "' is not supported yet");
    }
    if (kind.equals(WILDCARD)) {
      checkWildcard();
    }
  }

  private void checkWildcard() {
    FieldPath wildcard = null;
    List<FieldPath> others = new ArrayList<>();
    ElementCursor fields = key.elements();
    while (fields.next()) {
      if (!WildcardPaths.isWildcard(fields.name())) {
        others.add(FieldPath.of(fields.name()));
      } else if (wildcard != null) {
        throw new CommandException(
            ErrorCode.SEVERAL_WILDCARDS, "Index Key can contain only one wildcard index field");
      } else {
        wildcard = FieldPath.of(fields.name());
      }
    }
    if (wildcard == null || wildcard.length() == 1) {
      return;
    }
    String root = wildcard.dotted().substring(0, wildcard.dotted().lastIndexOf('.'));
    for (FieldPath other : others) {
      if (other.dotted().equals(root) || FieldPath.of(root).isPrefixOf(other)) {
        throw new CommandException(
            ErrorCode.WILDCARD_OVERLAP,
            "A wildcard index field should not overlap with and index key fields if wildcard"
                + " projection is empty, however '"
                + other
                + "' is overlapping with the wildcard index field.");
      }
    }
  }

  private void checkValue(RawValue value) {
    if (value.isNumber()) {
      double number = value.toDouble();
      if (Double.isNaN(number)) {
        throw cannotCreate("Values in the index key pattern cannot be NaN.");
      }
      if (number == 0) {
        throw cannotCreate("Values in the index key pattern cannot be 0.");
      }
    } else if (!value.isString()) {
      throw cannotCreate(
          "Values in v:2 index key pattern cannot be of type "
              + ElementType.alias(value.type())
              + ". Only numbers > 0, numbers < 0, and strings are allowed.");
    } else if (!value.asString().equals(kind)) {
      throw cannotCreate("Can't use more than one index plugin for a single index.");
    } else if (kind.equals(WILDCARD)) {
      throw cannotCreate(
          "The key pattern value for an 'wildcard' index must be a non-zero number, not a string.");
    } else if (kind.isEmpty()) {
      throw cannotCreate("Values in the index key pattern cannot be empty strings");
    }
  }

  private void checkName(String name, RawValue value) {
    if (name.isEmpty()) {
      throw cannotCreate("Index keys cannot be an empty field.");
    }
    if (name.equals("$**") && (value.isNumber() || kind.equals(TEXT))) {
      return;
    }
    if (name.equals(TextIndexSpec.TERM_FIELD) && !kind.equals(TEXT)) {
      throw cannotCreate("Index key contains an illegal field name: '_fts'");
    }
    FieldPath path = FieldPath.of(name);
    for (int i = 0; i < path.length(); i++) {
      String part = path.name(i);
      if (part.isEmpty()) {
        throw cannotCreate("Index keys cannot contain an empty field.");
      }
      boolean wildcard =
          i == path.length() - 1 && part.equals("$**") && kind.equals(WILDCARD) && value.isNumber();
      boolean ofDbRef = i > 0 && DBREF_FIELDS.contains(part);
      if (part.charAt(0) == '$' && !wildcard && !ofDbRef) {
        throw cannotCreate("Index key contains an illegal field name: field name starts with '$'.");
      }
    }
  }

  static CommandException cannotCreate(String message) {
    return new CommandException(ErrorCode.CANNOT_CREATE_INDEX, message);
  }
}
