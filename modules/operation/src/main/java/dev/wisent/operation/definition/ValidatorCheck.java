package dev.wisent.operation.definition;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.QueryContexts;
import dev.wisent.query.validation.Validator;
import java.util.Set;

/** Whether a document can be the validator of a collection. */
public final class ValidatorCheck {
  public static final Set<String> LEVELS = Set.of("off", "strict", "moderate");
  public static final Set<String> ACTIONS = Set.of("error", "warn", "errorAndLog");

  private static final Set<String> INTERNAL_DATABASES = Set.of("admin", "config", "local");

  private ValidatorCheck() {}

  /** Parses the validator for its errors. */
  public static void check(RawDocument validator, Namespace namespace) {
    if (!validator.isEmpty()) {
      checkNamespace(namespace);
    }
    Validator.parse(validator, QueryContexts.ofRules(null));
  }

  private static void checkNamespace(Namespace namespace) {
    if (namespace.isSystem()) {
      throw new CommandException(
          ErrorCode.INVALID_OPTIONS,
          "Document validators not allowed on system collection " + namespace);
    }
    if (INTERNAL_DATABASES.contains(namespace.database())) {
      throw new CommandException(
          ErrorCode.INVALID_OPTIONS,
          "Document validators are not allowed on collection "
              + namespace
              + " in the "
              + namespace.database()
              + " internal database");
    }
  }
}
