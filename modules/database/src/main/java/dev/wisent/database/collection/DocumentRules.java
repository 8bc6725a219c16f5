package dev.wisent.database.collection;

import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.DocumentValidationException;
import dev.wisent.operation.OperationContext;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.validation.Validator;
import java.util.function.Consumer;

/**
 * The validator of a collection.
 *
 * @param validator null where everything is allowed
 * @param moderate whether documents that broke the rule before may go on doing so
 * @param enforced whether a broken rule is an error
 * @param log is told of broken rules; null where nobody is
 */
public record DocumentRules(
    Validator validator, boolean moderate, boolean enforced, Consumer<RawDocument> log) {
  /** Everything is allowed. */
  public static final DocumentRules NONE = new DocumentRules(null, false, false, null);

  /**
   * @param log for collections that want a line about broken rules; gets what errInfo would be
   */
  static DocumentRules of(RawDocument options, Consumer<RawDocument> log) {
    RawValue validator = options.get("validator");
    String level = text(options, "validationLevel", "strict");
    if (validator == null || validator.asDocument().isEmpty() || level.equals("off")) {
      return NONE;
    }
    String action = text(options, "validationAction", "error");
    return new DocumentRules(
        Validator.parse(
            validator.asDocument().detached(),
            QueryContexts.ofCollection(Collation.ofOptions(options))),
        level.equals("moderate"),
        !action.equals("warn"),
        action.equals("error") ? null : log);
  }

  /** The same for an operation, which can end them. */
  public DocumentRules under(OperationContext operation) {
    if (validator == null) {
      return this;
    }
    Validator metered = validator.metered(operation.query().meter());
    return metered == validator ? this : new DocumentRules(metered, moderate, enforced, log);
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
    RawDocument information = validator.explain(document);
    if (log != null) {
      log.accept(information);
    }
    if (enforced) {
      throw new DocumentValidationException(information);
    }
  }

  private static String text(RawDocument options, String name, String otherwise) {
    RawValue value = options.get(name);
    return value != null && value.isString() ? value.asString() : otherwise;
  }
}
