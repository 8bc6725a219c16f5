package dev.wisent.query.update;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueText;
import dev.wisent.query.update.element.ElementText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Reads the {@code u} of an update statement. The values stay slices of the given bytes, which must
 * not change while the update is in use.
 */
public final class UpdateParser {
  private final UpdateContext context;
  private final Map<String, ElementCondition> arrayFilters;
  private final PathTreeBuilder tree;
  private final List<UpdatePath> paths = new ArrayList<>();
  private boolean positional;

  private UpdateParser(Map<String, ElementCondition> arrayFilters, UpdateContext context) {
    this.context = context;
    this.arrayFilters = arrayFilters;
    this.tree = new PathTreeBuilder(arrayFilters);
  }

  /** An update of one document. */
  public static Update parse(
      RawValue update, List<RawDocument> arrayFilters, UpdateContext context) {
    return parse(update, arrayFilters, false, context);
  }

  /**
   * @param update a document, or an array (a pipeline)
   * @param multi whether it is for all documents that match, which replacements cannot be
   */
  public static Update parse(
      RawValue update, List<RawDocument> arrayFilters, boolean multi, UpdateContext context) {
    if (update.isArray()) {
      return pipeline(update.asDocument(), arrayFilters, context);
    }
    if (!update.isDocument()) {
      throw failedToParse("Update argument must be either an object or an array");
    }
    Map<String, ElementCondition> filters = ArrayFilters.parse(arrayFilters, context);
    RawDocument document = update.asDocument();
    ElementCursor cursor = document.elements();
    // The first name decides, as in MongoDB: operators, or a document to store.
    if (cursor.next() && cursor.nameStartsWith('$')) {
      return new UpdateParser(filters, context).parseOperators(document);
    }
    if (multi) {
      throw failedToParse("multi update is not supported for replacement-style update");
    }
    return Replacement.of(document, context);
  }

  private static Update pipeline(
      RawDocument stages, List<RawDocument> arrayFilters, UpdateContext context) {
    if (!arrayFilters.isEmpty()) {
      throw failedToParse("arrayFilters may not be specified for pipeline-style updates");
    }
    return PipelineUpdate.parse(stages, context);
  }

  private ModifierUpdate parseOperators(RawDocument document) {
    ElementCursor operators = document.elements();
    while (operators.next()) {
      String name = operators.name();
      UpdateOperators.Factory factory = UpdateOperators.factory(name);
      if (factory == null && !name.equals(UpdateOperators.RENAME)) {
        throw failedToParse(
            "Unknown modifier: "
                + name
                + ". Expected a valid update modifier or pipeline-style update specified as an"
                + " array");
      }
      RawValue fields = operators.value();
      checkFields(name, fields);
      ElementCursor field = fields.elements();
      while (field.next()) {
        parseField(factory, field.name(), field.value());
      }
    }
    checkFiltersUsed(document);
    return new ModifierUpdate(tree.root(), TouchedPaths.of(paths), positional);
  }

  private static void checkFields(String operator, RawValue fields) {
    if (!fields.isDocument()) {
      throw failedToParse(
          "Modifiers operate on fields but we found type "
              + ElementType.alias(fields.type())
              + " instead. For example: {$mod: {<field>: ...}} not {"
              + ElementText.of(operator, fields)
              + "}");
    }
  }

  /** {@code factory} is null for {@code $rename}. */
  private void parseField(UpdateOperators.Factory factory, String name, RawValue argument) {
    UpdatePath path = UpdatePath.parse(name);
    if (factory == null) {
      add(path, new PathNode.RenameSource());
      RenameUpdate rename = RenameUpdate.parse(path, argument);
      add(rename.target(), new PathNode.RenameLeaf(rename));
    } else {
      add(path, new PathNode.FieldLeaf(factory.create(name, argument, context)));
    }
  }

  private void add(UpdatePath path, PathNode.Leaf leaf) {
    tree.add(path, leaf);
    paths.add(path);
    positional |= path.hasPositional();
  }

  private void checkFiltersUsed(RawDocument document) {
    for (String identifier : arrayFilters.keySet()) {
      if (!tree.usedIdentifiers().contains(identifier)) {
        throw failedToParse(
            "The array filter for identifier '"
                + identifier
                + "' was not used in the update "
                + ValueText.of(document));
      }
    }
  }

  private static CommandException failedToParse(String message) {
    return new CommandException(ErrorCode.FAILED_TO_PARSE, message);
  }
}
