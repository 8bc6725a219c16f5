package dev.wisent.query.expression;

import dev.wisent.bson.RawValue;

/** An expression that is a plain function of the values of its arguments. */
public abstract class FunctionExpression extends OperatorExpression {
  private FunctionExpression(String name, Expression... arguments) {
    super(name, arguments);
  }

  /** A function of one value. */
  @FunctionalInterface
  public interface Unary {
    /** The argument and the result may be missing, that is, null. */
    RawValue apply(RawValue value);
  }

  /** A function of two values. */
  @FunctionalInterface
  public interface Binary {
    RawValue apply(RawValue a, RawValue b);
  }

  /** A function of any number of values. */
  @FunctionalInterface
  public interface Variadic {
    RawValue apply(RawValue[] values);
  }

  public static Expression of(String name, Expression a, Unary function) {
    return new FunctionExpression(name, a) {
      @Override
      public RawValue evaluate(Frame frame) {
        return function.apply(value(0, frame));
      }
    };
  }

  public static Expression of(String name, Expression a, Expression b, Binary function) {
    return new FunctionExpression(name, a, b) {
      @Override
      public RawValue evaluate(Frame frame) {
        return function.apply(value(0, frame), value(1, frame));
      }
    };
  }

  public static Expression of(String name, Expression[] arguments, Variadic function) {
    return new FunctionExpression(name, arguments) {
      @Override
      public RawValue evaluate(Frame frame) {
        var values = new RawValue[argumentCount()];
        for (int i = 0; i < values.length; i++) {
          values[i] = value(i, frame);
        }
        return function.apply(values);
      }
    };
  }
}
