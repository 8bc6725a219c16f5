package dev.wisent.query.projection;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueText;
import dev.wisent.query.context.QueryContext;
import dev.wisent.query.expression.Dependencies;
import dev.wisent.query.expression.ExpressionParser;
import dev.wisent.query.expression.ExpressionTable;
import dev.wisent.query.match.ElemMatch;
import dev.wisent.query.match.MatchParser;
import dev.wisent.query.metadata.MetaType;
import dev.wisent.query.path.FieldPath;

/** Reads one projection. */
final class ProjectionParser {
  private static final String ID = "_id";
  private static final String POSITIONAL = ".$";

  /** Where a router has its shards show what they have sorted by. */
  private static final String SORT_KEY = "$sortKey";

  private enum Kind {
    INCLUSION,
    EXCLUSION
  }

  private final boolean hasQuery;
  private final boolean stage;
  private final QueryContext context;

  /** Null until there is an expression. */
  private ExpressionParser expressions;

  private final ProjectionTree root = new ProjectionTree();

  /** Null until a field other than _id decides. */
  private Kind kind;

  private boolean idMentioned;
  private boolean idIncluded;
  private boolean positional;
  private boolean elemMatch;
  private boolean slice;
  private boolean meta;

  /**
   * @param stage whether it is a stage of a pipeline, which knows no operators but expressions
   */
  ProjectionParser(boolean hasQuery, boolean stage, QueryContext context) {
    this.hasQuery = hasQuery;
    this.stage = stage;
    this.context = context;
  }

  ProjectionParser parse(RawDocument spec) {
    ElementCursor elements = spec.elements();
    while (elements.next()) {
      String name = elements.name();
      idMentioned |= name.equals(ID) || name.startsWith("_id.");
      element(name, elements.value(), root);
    }
    if (kind == null) {
      kind = defaultKind();
    }
    if (kind == Kind.INCLUSION && !idMentioned) {
      root.add(FieldPath.strict(ID), new FieldAction.Keep());
    }
    if (kind == Kind.EXCLUSION && idIncluded) {
      root.remove(ID);
    }
    return this;
  }

  /** Throws what computing the constant parts in advance throws. */
  Projection finish(RawDocument spec) {
    var dependencies = new Dependencies();
    root.addDependencies("", dependencies);
    return new Projection(
        spec,
        root.toNode(),
        kind == Kind.INCLUSION,
        positional,
        root.computed(expression -> expression.optimizeIn(context)),
        dependencies,
        context.meter());
  }

  /** What a projection of nothing but _id and operators is; odd, but MongoDB's. */
  private Kind defaultKind() {
    if (slice) {
      return idIncluded ? Kind.INCLUSION : Kind.EXCLUSION;
    }
    return elemMatch || idIncluded || (stage && meta) ? Kind.INCLUSION : Kind.EXCLUSION;
  }

  private void element(String name, RawValue value, ProjectionTree parent) {
    if (name.contains(".$.")) {
      throw new CommandException(
          ErrorCode.PROJECTION_POSITIONAL_INSIDE_PATH,
          "As of 4.4, it's illegal to specify positional operator in the middle of a path."
              + "Positional projection may only be used at the end, for example: a.b.$. If the"
              + " query previously used a form like a.b.$.d, remove the parts following the '$'"
              + " and the results will be equivalent.");
    }
    boolean isPositional = name.endsWith(POSITIONAL);
    if (value.isDocument()) {
      if (isPositional) {
        throw new CommandException(
            ErrorCode.PROJECTION_POSITIONAL_WITH_DOCUMENT,
            "positional projection cannot be used with an expression or sub object");
      }
      document(name, value.asDocument(), parent);
    } else if (value.isNumber() || value.type() == ElementType.BOOLEAN) {
      if (value.isTruthy()) {
        include(name, isPositional, parent);
      } else {
        exclude(name, isPositional, parent);
      }
    } else {
      literal(name, value, isPositional, parent);
    }
  }

  private void include(String name, boolean isPositional, ProjectionTree parent) {
    boolean isId = parent == root && name.equals(ID);
    if (isPositional && stage) {
      throw new CommandException(
          ErrorCode.PROJECTION_POSITIONAL_IN_STAGE,
          "Cannot use positional projection in aggregation projection");
    }
    if (isPositional) {
      includePositional(name, parent);
    } else {
      parent.add(FieldPath.strict(name), new FieldAction.Keep());
      idIncluded |= isId;
    }
    if (!isId) {
      if (kind == Kind.EXCLUSION) {
        throw new CommandException(
            ErrorCode.PROJECTION_INCLUSION_IN_EXCLUSION,
            "Cannot do inclusion on field " + name + " in exclusion projection");
      }
      kind = Kind.INCLUSION;
    }
  }

  private void includePositional(String name, ProjectionTree parent) {
    if (positional) {
      throw new CommandException(
          ErrorCode.PROJECTION_POSITIONAL_TWICE,
          "Cannot specify more than one positional projection per query.");
    }
    if (elemMatch) {
      throw new CommandException(
          ErrorCode.PROJECTION_ELEM_MATCH_THEN_POSITIONAL,
          "Cannot specify positional operator and $elemMatch.");
    }
    if (!hasQuery) {
      throw new CommandException(
          ErrorCode.PROJECTION_POSITIONAL_WITHOUT_QUERY,
          "Projections with a positional operator require a matcher");
    }
    if (name.equals(POSITIONAL)) {
      throw new CommandException(
          ErrorCode.PROJECTION_POSITIONAL_WITHOUT_FIELD,
          "Projection on field " + name + " is invalid");
    }
    String path = name.substring(0, name.length() - POSITIONAL.length());
    parent.add(FieldPath.strict(path), new FieldAction.Positional());
    positional = true;
  }

  private void exclude(String name, boolean isPositional, ProjectionTree parent) {
    if (isPositional) {
      throw new CommandException(
          ErrorCode.PROJECTION_POSITIONAL_EXCLUSION,
          "positional projection cannot be used with exclusion");
    }
    parent.add(FieldPath.strict(name), new FieldAction.Drop());
    if (parent == root && name.equals(ID)) {
      return;
    }
    if (kind == Kind.INCLUSION) {
      throw new CommandException(
          ErrorCode.PROJECTION_EXCLUSION_IN_INCLUSION,
          "Cannot do exclusion on field " + name + " in inclusion projection");
    }
    kind = Kind.EXCLUSION;
  }

  private void literal(String name, RawValue value, boolean isPositional, ProjectionTree parent) {
    if (isPositional) {
      throw new CommandException(
          ErrorCode.PROJECTION_POSITIONAL_WITH_LITERAL,
          "positional projection cannot be used with a literal");
    }
    FieldPath path = FieldPath.strict(name);
    if (kind == Kind.EXCLUSION) {
      throw new CommandException(
          ErrorCode.PROJECTION_LITERAL_IN_EXCLUSION,
          "Cannot use an expression "
              + name
              + ": "
              + ValueText.of(value)
              + " in an exclusion projection");
    }
    compute(path, value, parent);
  }

  /** A document is an operator on the field, or a projection of the fields below it. */
  private void document(String name, RawDocument value, ProjectionTree parent) {
    ElementCursor elements = value.elements();
    if (!elements.next()) {
      throw new CommandException(
          ErrorCode.PROJECTION_EMPTY_DOCUMENT,
          "An empty sub-projection is not a valid value. Found empty object at path");
    }
    String first = elements.name();
    RawValue argument = elements.value();
    boolean sortKey = name.equals(SORT_KEY) && first.equals("$meta");
    FieldPath path = sortKey ? FieldPath.of(name) : FieldPath.strict(name);
    if (first.startsWith("$") && !elements.next()) {
      operator(path, first, argument, value, parent);
      return;
    }
    ProjectionTree below = parent.below(path);
    ElementCursor fields = value.elements();
    while (fields.next()) {
      element(fields.name(), fields.value(), below);
    }
  }

  private void operator(
      FieldPath path,
      String operator,
      RawValue argument,
      RawDocument value,
      ProjectionTree parent) {
    if (stage && !operator.equals("$meta")) {
      expression(path, operator, value, parent);
      return;
    }
    switch (operator) {
      case "$slice" -> {
        FieldAction.Slice step = SliceArgument.parse(argument, value);
        if (step == null) {
          expression(path, operator, value, parent);
        } else {
          parent.add(path, step);
          slice = true;
        }
      }
      case "$elemMatch" -> elemMatch(path, argument, value, parent);
      case "$meta" -> meta(path, argument, value, parent);
      default -> expression(path, operator, value, parent);
    }
  }

  /** Unlike other expressions it does not make an inclusion of the projection of a find. */
  private void meta(FieldPath path, RawValue argument, RawDocument value, ProjectionTree parent) {
    MetaType.parse(argument);
    parent.add(path, computed(RawValue.ofDocument(value)));
    meta = true;
  }

  private void expression(
      FieldPath path, String operator, RawDocument value, ProjectionTree parent) {
    if (!ExpressionTable.isExpression(operator)) {
      throw new CommandException(
          ErrorCode.PROJECTION_UNKNOWN_EXPRESSION, "Unknown expression " + operator);
    }
    if (kind == Kind.EXCLUSION) {
      throw new CommandException(
          ErrorCode.PROJECTION_EXPRESSION_IN_EXCLUSION,
          "Cannot use expression other than $meta in exclusion projection");
    }
    compute(path, RawValue.ofDocument(value), parent);
  }

  private void compute(FieldPath path, RawValue value, ProjectionTree parent) {
    parent.add(path, computed(value));
    kind = Kind.INCLUSION;
  }

  private FieldAction computed(RawValue value) {
    if (expressions == null) {
      expressions = ExpressionParser.of(context);
    }
    return new FieldAction.Computed(expressions.parse(value));
  }

  private void elemMatch(
      FieldPath path, RawValue argument, RawDocument value, ProjectionTree parent) {
    if (!argument.isDocument()) {
      throw new CommandException(
          ErrorCode.PROJECTION_ELEM_MATCH_ARGUMENT,
          "elemMatch: Invalid argument, object required, but got "
              + ElementType.alias(argument.type()));
    }
    if (positional) {
      throw new CommandException(
          ErrorCode.PROJECTION_POSITIONAL_THEN_ELEM_MATCH,
          "Cannot specify positional operator and $elemMatch.");
    }
    if (path.length() > 1 || parent != root) {
      throw new CommandException(
          ErrorCode.PROJECTION_ELEM_MATCH_NESTED,
          "Cannot use $elemMatch projection on a nested field.");
    }
    RawDocument filter = new BsonBuilder().appendDocument(path.dotted(), value).toDocument();
    if (!(MatchParser.parse(filter, context) instanceof ElemMatch condition)) {
      throw new IllegalStateException("$elemMatch did not become one");
    }
    parent.add(path, new FieldAction.FirstMatch(condition));
    elemMatch = true;
  }
}
