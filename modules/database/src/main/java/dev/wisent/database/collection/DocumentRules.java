package dev.wisent.database.collection;

import dev.wisent.base.Clock;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.DocumentValidationException;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.QueryContexts;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.interrupt.WorkMeter;
import dev.wisent.query.validation.Validator;
import java.util.function.Consumer;

/**
 * The validator of a collection.
 *
 * @param validator null where everything is allowed
 * @param moderate whether documents that broke the rule before may go on doing so
 * @param enforced whether a broken rule is an error
 * @param log is told of broken rules; null for no one
 * @param meter lets an operation end a long check; null where there is no operation
 */
public record DocumentRules(
    Validator validator,
    boolean moderate,
    boolean enforced,
    Consumer<RawDocument> log,
    WorkMeter meter) {
  /** Everything is allowed. */
  public static final DocumentRules NONE = new DocumentRules(null, false, false, null, null);

  /**
   * @param clock what {@code $$NOW} is read from
   * @param log for collections that want a line about broken rules; gets what errInfo would be
   */
  static DocumentRules of(RawDocument options, Clock clock, Consumer<RawDocument> log) {
    RawValue validator = options.get("validator");
    String level = text(options, "validationLevel", "strict");
    if (validator == null || validator.asDocument().isEmpty() || level.equals("off")) {
      return NONE;
    }
    String action = text(options, "validationAction", "error");
    return new DocumentRules(
        Validator.parse(
            validator.asDocument().detached(),
            QueryContexts.ofRules(clock::wallMillis, Collation.ofOptions(options))),
        level.equals("moderate"),
        !action.equals("warn"),
        action.equals("error") ? null : log,
        null);
  }

  /** The same for an operation, which can end them. */
  public DocumentRules under(OperationContext operation) {
    return validator == null
        ? this
        : new DocumentRules(validator, moderate, enforced, log, operation.query().meter());
  }

  /** Checks a new document. */
  public void checkInsert(RawDocument document) {
    if (validator == null) {
      return;
    }
    Validator metered = metered(document);
    if (!metered.matches(document)) {
      broken(metered, document);
    }
  }

  /** Checks the new version of a document. */
  public void checkUpdate(RawDocument before, RawDocument after) {
    if (validator == null) {
      return;
    }
    Validator metered = metered(after);
    if (metered.matches(after) || (moderate && !metered(before).matches(before))) {
      return;
    }
    broken(metered, after);
  }

  private Validator metered(RawDocument document) {
    return meter == null ? validator : validator.metered(document, meter);
  }

  private void broken(Validator metered, RawDocument document) {
    RawDocument information = metered.explain(document);
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
