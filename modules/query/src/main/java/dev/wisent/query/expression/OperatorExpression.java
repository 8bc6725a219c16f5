package dev.wisent.query.expression;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawValue;
import dev.wisent.query.interrupt.WorkMeter;

/**
 * An expression with a name and arguments: <code>{$name: [a, b]}</code>, or with named arguments
 * <code>{$name: {input: a, as: b}}</code>.
 */
public abstract class OperatorExpression extends Expression {
  private final String name;

  /** Names of the arguments; null where they go by position. */
  private final String[] keys;

  private final Expression[] arguments;

  /** What computing it in advance counts as work on. */
  private WorkMeter meter = WorkMeter.unchecked();

  /** With arguments by position. */
  protected OperatorExpression(String name, Expression... arguments) {
    this(name, null, arguments);
  }

  /** With arguments by name; those that were not given are null. */
  protected OperatorExpression(String name, String[] keys, Expression... arguments) {
    this.name = name;
    this.keys = keys;
    this.arguments = arguments;
  }

  public final String name() {
    return name;
  }

  public final int argumentCount() {
    return arguments.length;
  }

  /** An argument, or null where an optional one was not given. */
  public final Expression argument(int i) {
    return arguments[i];
  }

  protected final RawValue value(int i, Frame frame) {
    return arguments[i].counted(frame);
  }

  /** Set by the parser: the tree may have much to compute in advance. */
  final void meter(WorkMeter ofQuery) {
    meter = ofQuery;
  }

  /** Whether equal arguments always give equal results, so that it may be computed in advance. */
  protected boolean isFoldable() {
    return true;
  }

  @Override
  public Expression optimize() {
    boolean constant = isFoldable();
    for (int i = 0; i < arguments.length; i++) {
      if (arguments[i] != null) {
        arguments[i] = arguments[i].optimize();
        constant &= arguments[i].isConstant();
      }
    }
    return constant ? new ConstantExpression(detached(evaluate(new Frame(meter)))) : this;
  }

  private static RawValue detached(RawValue value) {
    return value == null ? null : value.detached();
  }

  @Override
  public RawValue serialize() {
    var out = new BsonBuilder();
    if (keys == null) {
      out.startArray(name);
      for (int i = 0; i < arguments.length; i++) {
        out.append(i, arguments[i].serialize());
      }
    } else {
      out.startDocument(name);
      for (int i = 0; i < arguments.length; i++) {
        serializeArgument(i, out);
      }
    }
    return RawValue.ofDocument(out.end().toDocument());
  }

  private void serializeArgument(int i, BsonBuilder out) {
    if (arguments[i] != null) {
      out.append(keys[i], arguments[i].serialize());
    }
  }

  @Override
  public void addDependencies(Dependencies dependencies) {
    for (Expression argument : arguments) {
      if (argument != null) {
        argument.addDependencies(dependencies);
      }
    }
  }
}
