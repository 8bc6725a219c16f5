package dev.wisent.database.collection;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.database.write.DocumentValidationException;
import dev.wisent.query.match.MatchExpression;
import dev.wisent.query.match.MatchParser;

/**
 * The validator of a collection.
 *
 * @param validator null where everything is allowed
 * @param moderate whether documents that broke the rule before may go on doing so
 * @param warnOnly whether a broken rule is only logged
 */
public record DocumentRules(
    RawDocument source, MatchExpression validator, boolean moderate, boolean warnOnly) {
  private static final DocumentRules NONE = new DocumentRules(null, null, false, false);

  static DocumentRules of(RawDocument options) {
    RawValue validator = options.get("validator");
    String level = text(options, "validationLevel", "strict");
    if (validator == null || validator.asDocument().isEmpty() || level.equals("off")) {
      return NONE;
    }
    RawDocument source = validator.asDocument().detached();
    return new DocumentRules(
        source,
        MatchParser.parse(source, QueryContexts.ofCollection()),
        level.equals("moderate"),
        text(options, "validationAction", "error").equals("warn"));
  }

  /** Checks a new document. */
  public void checkInsert(RawDocument document) {
    if (validator != null && !warnOnly && !validator.matches(document)) {
      throw broken(document);
    }
  }

  /** Checks the new version of a document. */
  public void checkUpdate(RawDocument before, RawDocument after) {
    if (validator == null || warnOnly || validator.matches(after)) {
      return;
    }
    if (moderate && !validator.matches(before)) {
      return;
    }
    throw broken(after);
  }

  private DocumentValidationException broken(RawDocument document) {
    var information = new BsonBuilder();
    RawValue id = document.get("_id");
    if (id != null) {
      information.append("failingDocumentId", id);
    }
    information.startDocument("details");
    information.appendString("operatorName", "validator");
    information.appendDocument("specifiedAs", source);
    information.appendString("reason", "the document does not match the validator");
    information.end();
    return new DocumentValidationException(information.toDocument());
  }

  private static String text(RawDocument options, String name, String otherwise) {
    RawValue value = options.get(name);
    return value != null && value.isString() ? value.asString() : otherwise;
  }
}
