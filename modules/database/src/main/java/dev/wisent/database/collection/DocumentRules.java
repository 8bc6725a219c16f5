package dev.wisent.database.collection;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.database.write.DocumentValidationException;
import dev.wisent.query.match.MatchExpression;
import dev.wisent.query.match.MatchParser;
import java.util.function.Consumer;

/**
 * The validator of a collection.
 *
 * @param validator null where everything is allowed
 * @param moderate whether documents that broke the rule before may go on doing so
 * @param warnings where a broken rule is only told; null where it is an error
 */
public record DocumentRules(
    RawDocument source,
    MatchExpression validator,
    boolean moderate,
    Consumer<RawDocument> warnings) {
  private static final DocumentRules NONE = new DocumentRules(null, null, false, null);

  /**
   * @param warnings for collections whose rules are not enforced; gets what errInfo would be
   */
  static DocumentRules of(RawDocument options, Consumer<RawDocument> warnings) {
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
        text(options, "validationAction", "error").equals("warn") ? warnings : null);
  }

  /** Checks a new document. */
  public void checkInsert(RawDocument document) {
    if (validator != null && !validator.matches(document)) {
      broken(document);
    }
  }

  /** Checks the new version of a document. */
  public void checkUpdate(RawDocument before, RawDocument after) {
    if (validator == null || validator.matches(after)) {
      return;
    }
    if (moderate && !validator.matches(before)) {
      return;
    }
    broken(after);
  }

  private void broken(RawDocument document) {
    RawDocument information = information(document);
    if (warnings == null) {
      throw new DocumentValidationException(information);
    }
    warnings.accept(information);
  }

  private RawDocument information(RawDocument document) {
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
    return information.toDocument();
  }

  private static String text(RawDocument options, String name, String otherwise) {
    RawValue value = options.get(name);
    return value != null && value.isString() ? value.asString() : otherwise;
  }
}
