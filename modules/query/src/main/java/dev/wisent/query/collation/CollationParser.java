package dev.wisent.query.collation;

import com.ibm.icu.text.Collator;
import com.ibm.icu.text.RuleBasedCollator;
import com.ibm.icu.util.ULocale;
import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueText;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads collation documents. What they leave open is what ICU has for the locale: accents from the
 * end in Canadian French, capitals first in Danish, and so on.
 */
final class CollationParser {
  private static final String SIMPLE = "simple";
  private static final int STRENGTH_MAX = 5;

  private static final List<String> FLAGS =
      List.of("caseLevel", "numericOrdering", "normalization");
  private static final Map<String, List<String>> WORDS =
      Map.of(
          "caseFirst", List.of(CollationSpec.UPPER, CollationSpec.LOWER, CollationSpec.OFF),
          "alternate", List.of(CollationSpec.NON_IGNORABLE, CollationSpec.SHIFTED),
          "maxVariable", List.of(CollationSpec.PUNCT, CollationSpec.SPACE));

  private final RawDocument source;
  private final String path;
  private final Map<String, RawValue> given = new HashMap<>();

  private CollationParser(RawDocument source, String path) {
    this.source = source;
    this.path = path;
  }

  /** Null for the simple collation. */
  static Collation parse(RawDocument source, String path) {
    var parser = new CollationParser(source, path);
    parser.read();
    String locale = parser.locale();
    if (!locale.equals(SIMPLE)) {
      return parser.collation(locale);
    }
    if (source.fieldCount() > 1) {
      throw new CommandException(
          ErrorCode.FAILED_TO_PARSE,
          "If locale=simple, no other fields should be present in: " + ValueText.of(source));
    }
    return null;
  }

  private void read() {
    ElementCursor fields = source.elements();
    while (fields.next()) {
      String name = fields.name();
      RawValue value = fields.value();
      if (value.isNullish() && !name.equals("backwards") && !name.equals("locale")) {
        continue;
      }
      check(name, value);
      if (given.putIfAbsent(name, value) != null) {
        throw new CommandException(
            ErrorCode.IDL_DUPLICATE_FIELD,
            "BSON field '" + path + "." + name + "' is a duplicate field");
      }
    }
  }

  private void check(String name, RawValue value) {
    if (FLAGS.contains(name)) {
      requireType(name, value, value.type() == ElementType.BOOLEAN, "bool");
    } else if (WORDS.containsKey(name)) {
      requireType(name, value, value.isString(), "string");
      if (!WORDS.get(name).contains(value.asString())) {
        throw new CommandException(
            ErrorCode.BAD_VALUE,
            "Enumeration value '"
                + value.asString()
                + "' for field '"
                + path
                + "."
                + name
                + "' is not a valid value.");
      }
    } else {
      switch (name) {
        case "locale", "version" -> requireType(name, value, value.isString(), "string");
        case "strength" -> checkStrength(value);
        case "backwards" -> checkBackwards(value);
        default ->
            throw new CommandException(
                ErrorCode.IDL_UNKNOWN_FIELD,
                "BSON field '" + path + "." + name + "' is an unknown field.");
      }
    }
  }

  private void requireType(String name, RawValue value, boolean fits, String type) {
    if (!fits) {
      throw new CommandException(
          ErrorCode.TYPE_MISMATCH,
          "BSON field '"
              + path
              + "."
              + name
              + "' is the wrong type '"
              + ElementType.alias(value.type())
              + "', expected type '"
              + type
              + "'");
    }
  }

  private void checkStrength(RawValue value) {
    if (!value.isNumber()) {
      throw new CommandException(
          ErrorCode.TYPE_MISMATCH,
          "BSON field '"
              + path
              + ".strength' is the wrong type '"
              + ElementType.alias(value.type())
              + "', expected types '[long, int, decimal, double]'");
    }
    long strength = value.toLong();
    if (strength < 0 || strength > STRENGTH_MAX) {
      throw new CommandException(
          ErrorCode.BAD_VALUE,
          "BSON field 'strength' value must be "
              + (strength < 0 ? ">= 0" : "<= " + STRENGTH_MAX)
              + ", actual value '"
              + strength
              + "'");
    }
    if (strength == 0) {
      throw new CommandException(
          ErrorCode.FAILED_TO_PARSE,
          "Field 'strength' must be an integer 1 through 5. Got: " + strength);
    }
  }

  private static void checkBackwards(RawValue value) {
    if (value.type() != ElementType.BOOLEAN) {
      throw new CommandException(
          ErrorCode.TYPE_MISMATCH,
          "Field 'backwards' should be a boolean value, but found: "
              + ElementType.alias(value.type()));
    }
  }

  private String locale() {
    RawValue locale = given.get("locale");
    if (locale == null) {
      throw new CommandException(
          ErrorCode.IDL_FAILED_TO_PARSE,
          "BSON field '" + path + ".locale' is missing but a required field");
    }
    String name = locale.asString();
    if (name.indexOf('\0') >= 0) {
      throw badValue("Field 'locale' cannot contain null byte. Collation spec: ");
    }
    return name;
  }

  private Collation collation(String locale) {
    if (locale.isEmpty()) {
      throw badValue("Field 'locale' cannot be the empty string in: ");
    }
    RuleBasedCollator collator = collator(locale);
    CollationSpec spec = complete(locale, collator);
    RawValue version = given.get("version");
    if (version != null && !version.asString().equals(CollationSpec.VERSION)) {
      throw new CommandException(
          ErrorCode.INCOMPATIBLE_COLLATION_VERSION,
          "Requested collation version "
              + version.asString()
              + " but the only available collator version was "
              + CollationSpec.VERSION
              + ". Requested collation spec: "
              + ValueText.of(source));
    }
    return new Collation(spec, new TextCollator(configured(collator, spec)));
  }

  /** A locale has to be named as ICU would name it, with nothing in it that ICU has no data for. */
  private RuleBasedCollator collator(String locale) {
    if (!(Collator.getInstance(new ULocale(locale)) instanceof RuleBasedCollator collator)) {
      throw badValue("Field 'locale' is invalid in: ");
    }
    String known = collator.getLocale(ULocale.VALID_LOCALE).getName();
    if (known.equals(locale)) {
      return collator.cloneAsThawed();
    }
    String remedy =
        known.isEmpty() || known.startsWith("@") ? "" : ". Did you mean '" + known + "'?";
    throw new CommandException(
        ErrorCode.BAD_VALUE, "Field 'locale' is invalid in: " + ValueText.of(source) + remedy);
  }

  private CollationSpec complete(String locale, RuleBasedCollator collator) {
    String caseFirst =
        collator.isUpperCaseFirst()
            ? CollationSpec.UPPER
            : collator.isLowerCaseFirst() ? CollationSpec.LOWER : CollationSpec.OFF;
    String alternate =
        collator.isAlternateHandlingShifted() ? CollationSpec.SHIFTED : CollationSpec.NON_IGNORABLE;
    String maxVariable =
        collator.getMaxVariable() == Collator.ReorderCodes.SPACE
            ? CollationSpec.SPACE
            : CollationSpec.PUNCT;
    RawValue strength = given.get("strength");
    return new CollationSpec(
        locale,
        flag("caseLevel", collator.isCaseLevel()),
        word("caseFirst", caseFirst),
        strength == null ? strength(collator.getStrength()) : (int) strength.toLong(),
        flag("numericOrdering", collator.getNumericCollation()),
        word("alternate", alternate),
        word("maxVariable", maxVariable),
        flag("normalization", collator.getDecomposition() != Collator.NO_DECOMPOSITION),
        flag("backwards", collator.isFrenchCollation()));
  }

  private boolean flag(String name, boolean otherwise) {
    RawValue value = given.get(name);
    return value == null ? otherwise : value.asBoolean();
  }

  private String word(String name, String otherwise) {
    RawValue value = given.get(name);
    return value == null ? otherwise : value.asString();
  }

  private static int strength(int ofIcu) {
    return ofIcu == Collator.IDENTICAL ? STRENGTH_MAX : ofIcu + 1;
  }

  private static RuleBasedCollator configured(RuleBasedCollator collator, CollationSpec spec) {
    collator.setStrength(
        spec.strength() == STRENGTH_MAX ? Collator.IDENTICAL : spec.strength() - 1);
    collator.setCaseLevel(spec.caseLevel());
    switch (spec.caseFirst()) {
      case CollationSpec.UPPER -> collator.setUpperCaseFirst(true);
      case CollationSpec.LOWER -> collator.setLowerCaseFirst(true);
      default -> collator.setUpperCaseFirst(false);
    }
    collator.setNumericCollation(spec.numericOrdering());
    collator.setAlternateHandlingShifted(spec.alternate().equals(CollationSpec.SHIFTED));
    collator.setMaxVariable(
        spec.maxVariable().equals(CollationSpec.SPACE)
            ? Collator.ReorderCodes.SPACE
            : Collator.ReorderCodes.PUNCTUATION);
    collator.setDecomposition(
        spec.normalization() ? Collator.CANONICAL_DECOMPOSITION : Collator.NO_DECOMPOSITION);
    collator.setFrenchCollation(spec.backwards());
    return collator;
  }

  private CommandException badValue(String problem) {
    return new CommandException(ErrorCode.BAD_VALUE, problem + ValueText.of(source));
  }
}
