package dev.wisent.database.definition;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.database.view.ViewDefinition;
import dev.wisent.operation.Namespace;
import dev.wisent.query.collation.Collation;
import java.util.Set;

/** The options that make a view, as they are stored. */
final class ViewOptions {
  private static final Set<String> ALLOWED = Set.of("viewOn", "pipeline", "collation");

  private ViewOptions() {}

  /** The view that checked options describe; null if it is a collection. */
  static ViewDefinition view(Namespace namespace, RawDocument options) {
    RawValue on = options.get("viewOn");
    RawValue pipeline = options.get("pipeline");
    if (on == null) {
      if (pipeline != null) {
        throw invalid("'pipeline' requires 'viewOn' to also be specified");
      }
      return null;
    }
    ElementCursor fields = options.elements();
    while (fields.next()) {
      if (!ALLOWED.contains(fields.name())) {
        throw invalid("option not supported on a view: " + fields.name());
      }
    }
    if (namespace.isSystem()) {
      throw new CommandException(
          ErrorCode.INVALID_NAMESPACE,
          "Cannot create a view called '"
              + namespace.collection()
              + "': this is a reserved system namespace");
    }
    return new ViewDefinition(
        namespace,
        new Namespace(namespace.database(), on.asString()),
        pipeline == null ? RawDocument.EMPTY : pipeline.asDocument(),
        Collation.ofOptions(options));
  }

  /** Creating what is there already, with the same options, is no error. */
  static void checkSame(ViewDefinition existing, ViewDefinition wanted) {
    String taken = "namespace " + existing.namespace() + " already exists, but ";
    if (wanted == null) {
      throw exists(taken + "is a view");
    }
    if (!existing.on().equals(wanted.on())) {
      throw exists(taken + "is a view on " + existing.on() + " rather than " + wanted.on());
    }
    if (!existing.pipeline().equals(wanted.pipeline())) {
      throw exists(
          taken
              + "with pipeline "
              + RawValue.ofArray(existing.pipeline())
              + " rather than "
              + RawValue.ofArray(wanted.pipeline()));
    }
    if (!Collation.same(existing.collation(), wanted.collation())) {
      throw exists(
          taken
              + "with collation: "
              + text(existing.collation())
              + " rather than "
              + text(wanted.collation()));
    }
  }

  private static String text(Collation collation) {
    return collation == null ? "{ locale: \"simple\" }" : collation.document().toJson();
  }

  private static CommandException invalid(String message) {
    return new CommandException(ErrorCode.INVALID_OPTIONS, message);
  }

  private static CommandException exists(String message) {
    return new CommandException(ErrorCode.NAMESPACE_EXISTS, message);
  }
}
