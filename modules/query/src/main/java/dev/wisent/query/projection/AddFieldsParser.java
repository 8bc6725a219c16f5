package dev.wisent.query.projection;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueText;
import dev.wisent.query.context.QueryContext;
import dev.wisent.query.expression.ExpressionParser;
import dev.wisent.query.expression.Values;
import dev.wisent.query.path.FieldPath;

/** Reads the argument of {@code $addFields} and {@code $set}. */
public final class AddFieldsParser {
  private final RawDocument spec;
  private final ExpressionParser expressions;
  private final ProjectionTree root = new ProjectionTree();

  private AddFieldsParser(RawDocument spec, QueryContext context) {
    this.spec = spec;
    this.expressions = ExpressionParser.of(context);
  }

  /**
   * @param stage the name of the stage, for messages
   */
  public static ComputedFields parse(String stage, RawValue argument, QueryContext context) {
    if (!argument.isDocument()) {
      throw new CommandException(
          ErrorCode.ADD_FIELDS_NOT_OBJECT,
          stage + " specification stage must be an object, got " + Values.typeName(argument));
    }
    var parser = new AddFieldsParser(argument.asDocument(), context);
    try {
      parser.parse();
    } catch (CommandException e) {
      throw e.during("Invalid " + stage);
    }
    try {
      ComputedFields fields = parser.root.computed(expression -> expression.optimizeIn(context));
      return fields == null ? ComputedFields.NONE : fields;
    } catch (CommandException e) {
      throw e.during("Failed to optimize pipeline");
    }
  }

  private void parse() {
    ElementCursor fields = spec.elements();
    while (fields.next()) {
      field(fields.name(), FieldPath.strict(fields.name()), fields.value(), root);
    }
  }

  private void field(String text, FieldPath path, RawValue value, ProjectionTree parent) {
    if (!value.isDocument()) {
      add(text, path, value, parent);
      return;
    }
    ElementCursor fields = value.elements();
    if (!fields.next()) {
      // Since MongoDB 6.1 this is a value, not a way to no field.
      add(text, path, value, parent);
      return;
    }
    if (fields.nameStartsWith('$')) {
      if (value.asDocument().fieldCount() != 1) {
        throw new CommandException(
            ErrorCode.ADD_FIELDS_EXPRESSION_FIELDS,
            "an expression specification must contain exactly one field, the name of the"
                + " expression. Found "
                + value.asDocument().fieldCount()
                + " fields in "
                + ValueText.of(value)
                + ", while parsing object "
                + ValueText.of(spec)
                + ".");
      }
      add(text, path, value, parent);
      return;
    }
    ProjectionTree below = below(text, path, parent);
    do {
      String name = fields.name();
      if (name.indexOf('.') >= 0) {
        throw new CommandException(
            ErrorCode.ADD_FIELDS_DOTTED_BELOW,
            "cannot use dotted field name '" + name + "' in a sub object: " + ValueText.of(spec));
      }
      field(text + "." + name, FieldPath.strict(name), fields.value(), below);
    } while (fields.next());
  }

  private void add(String text, FieldPath path, RawValue value, ProjectionTree parent) {
    var step = new FieldAction.Computed(expressions.parse(value));
    try {
      parent.add(path, step);
    } catch (CommandException e) {
      throw conflict(text, e);
    }
  }

  private ProjectionTree below(String text, FieldPath path, ProjectionTree parent) {
    try {
      return parent.below(path);
    } catch (CommandException e) {
      throw conflict(text, e);
    }
  }

  private CommandException conflict(String path, CommandException collision) {
    if (collision.code() != ErrorCode.PROJECTION_PATH_COLLISION
        && collision.code() != ErrorCode.PROJECTION_PATH_COLLISION_BELOW) {
      return collision;
    }
    return new CommandException(
        ErrorCode.ADD_FIELDS_CONFLICT,
        "specification contains two conflicting paths. Cannot specify both '"
            + path
            + "' and '"
            + root.pathBeside(path)
            + "': "
            + ValueText.of(spec));
  }
}
