package dev.wisent.query.expression;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueText;
import dev.wisent.query.context.QueryContext;
import dev.wisent.query.path.FieldPath;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/**
 * Reads expressions. Constants stay slices of the given bytes: where the tree outlives the request,
 * detach them first.
 */
public final class ExpressionParser {
  private final QueryContext context;
  private final Scope scope;

  private ExpressionParser(QueryContext context, Scope scope) {
    this.context = context;
    this.scope = scope;
  }

  /** A parser that knows the variables of the system and of the command. */
  public static ExpressionParser of(QueryContext context) {
    return new ExpressionParser(context, CommandVariables.scope(context));
  }

  /** For the values of a command's variables, which know those before them only. */
  static ExpressionParser of(QueryContext context, Scope scope) {
    return new ExpressionParser(context, scope);
  }

  /** Reads an expression and computes what can be computed in advance. */
  public static Expression parse(RawValue value, QueryContext context) {
    return of(context).parse(value).optimize();
  }

  public QueryContext context() {
    return context;
  }

  /** A parser for the inside of an expression that binds a variable. */
  public ExpressionParser define(String variable) {
    VariableNames.checkForWrite(variable);
    return new ExpressionParser(context, Scope.ofSlot(scope, variable));
  }

  /** A parser that also knows a variable which only one stage has. */
  public ExpressionParser defineOfSystem(String variable) {
    return new ExpressionParser(context, Scope.ofSlot(scope, variable));
  }

  /** Where the variable that was defined last is in a frame. */
  public int slot() {
    return scope.slot();
  }

  /** Reads anything that may stand where an expression may. */
  public Expression parse(RawValue value) {
    switch (value.type()) {
      case ElementType.STRING -> {
        boolean path = value.length() > 5 && value.bytes()[value.offset() + 4] == '$';
        return path ? path(value.asString()) : new ConstantExpression(value);
      }
      case ElementType.DOCUMENT -> {
        return parseDocument(value.asDocument());
      }
      case ElementType.ARRAY -> {
        return new ArrayExpression(elements(value));
      }
      default -> {
        return new ConstantExpression(value);
      }
    }
  }

  private Expression parseDocument(RawDocument document) {
    ElementCursor fields = document.elements();
    if (fields.next() && fields.nameStartsWith('$')) {
      return parseOperator(document);
    }
    return parseObject(document);
  }

  /** Reads <code>{$name: argument}</code>. */
  public Expression parseOperator(RawDocument document) {
    if (document.fieldCount() != 1) {
      throw new CommandException(
          ErrorCode.EXPRESSION_FIELDS,
          "An object representing an expression must have exactly one field: "
              + ValueText.of(document));
    }
    ElementCursor fields = document.elements();
    fields.next();
    ExpressionRow row = ExpressionTable.row(fields.name());
    if (row == null) {
      throw new CommandException(
          ErrorCode.INVALID_PIPELINE_OPERATOR, "Unrecognized expression '" + fields.name() + "'");
    }
    Expression expression = row.parser().parse(this, fields.value());
    if (expression instanceof OperatorExpression operator) {
      operator.meter(context.meter());
    }
    return expression;
  }

  /** Reads <code>{a: e1, b: e2, …}</code>, none of whose names may be an operator. */
  private Expression parseObject(RawDocument document) {
    var names = new ArrayList<String>();
    var values = new ArrayList<Expression>();
    var seen = new HashSet<String>();
    ElementCursor fields = document.elements();
    while (fields.next()) {
      String name = fields.name();
      FieldPath.requireFieldName(name);
      if (!seen.add(name)) {
        throw new CommandException(
            ErrorCode.EXPRESSION_OBJECT_DUPLICATE,
            "duplicate field name specified in object literal: " + ValueText.of(document));
      }
      names.add(name);
      values.add(parse(fields.value()));
    }
    return new ObjectExpression(names, values);
  }

  private Expression path(String text) {
    if (text.length() < 2) {
      throw new CommandException(
          ErrorCode.EXPRESSION_PATH_DOLLAR, "'$' by itself is not a valid FieldPath");
    }
    if (text.charAt(1) != '$') {
      FieldPath path = FieldPath.strict(text.substring(1));
      Scope current = Scope.find(scope, SystemVariables.CURRENT);
      return current == null
          ? new FieldPathExpression(path, false)
          : variable(SystemVariables.CURRENT, path, text);
    }
    int dot = text.indexOf('.');
    String name = dot < 0 ? text.substring(2) : text.substring(2, dot);
    VariableNames.checkForRead(name);
    FieldPath path = dot < 0 ? null : FieldPath.strict(text.substring(dot + 1));
    return variable(name, path, text);
  }

  private Expression variable(String name, FieldPath path, String text) {
    Scope variable = Scope.find(scope, name);
    if (variable == null) {
      return SystemVariables.read(name, path, text, context);
    }
    if (variable.isValue()) {
      RawValue value = variable.value();
      return new ConstantExpression(path == null ? value : ValuePath.follow(path, 0, value));
    }
    return variable.isUnknown()
        ? new UnknownVariable(text)
        : new VariableExpression(variable.slot(), path, text);
  }

  /** Arguments by position; a value that is no array is the only argument. */
  public Expression[] arguments(RawValue argument) {
    return argument.isArray() ? elements(argument) : new Expression[] {parse(argument)};
  }

  private Expression[] elements(RawValue array) {
    List<Expression> expressions = new ArrayList<>();
    ElementCursor elements = array.elements();
    while (elements.next()) {
      expressions.add(parse(elements.value()));
    }
    return expressions.toArray(Expression[]::new);
  }

  /** Exactly so many arguments by position. */
  public Expression[] arguments(String name, RawValue argument, int count) {
    Expression[] arguments = arguments(argument);
    if (arguments.length != count) {
      throw new CommandException(
          ErrorCode.EXPRESSION_ARITY,
          "Expression "
              + name
              + " takes exactly "
              + count
              + " arguments. "
              + arguments.length
              + " were passed in.");
    }
    return arguments;
  }

  /** From {@code min} to {@code max} arguments by position. */
  public Expression[] arguments(String name, RawValue argument, int min, int max) {
    Expression[] arguments = arguments(argument);
    if (arguments.length < min || arguments.length > max) {
      throw new CommandException(
          ErrorCode.SLICE_ARGUMENT_COUNT,
          "Expression "
              + name
              + " takes at least "
              + min
              + " arguments, and at most "
              + max
              + ", but "
              + arguments.length
              + " were passed in.");
    }
    return arguments;
  }

  /** Parses an argument that may be left out. */
  public Expression parseOptional(RawValue argumentOrNull) {
    return argumentOrNull == null ? null : parse(argumentOrNull);
  }
}
