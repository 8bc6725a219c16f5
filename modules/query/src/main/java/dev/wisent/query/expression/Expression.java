package dev.wisent.query.expression;

import dev.wisent.base.CommandException;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawValue;
import dev.wisent.query.context.QueryContext;

/**
 * An aggregation expression, ready to run. It is parsed once into a tree of these, {@link
 * #optimize() optimized} once by the owner of the tree, and then evaluated for many documents by
 * many threads, each with a {@link Frame} of its own.
 *
 * <p>A value is a {@link RawValue}, mostly a slice of the document; null stands for a missing
 * value, which is not the same as BSON's null.
 */
public abstract class Expression {
  /** Looking at so little takes no time. */
  private static final int UNCOUNTED_BYTES = 1024;

  /** The value for the document in the frame; null where it is missing. */
  public abstract RawValue evaluate(Frame frame);

  /**
   * The value as the argument of another expression, which looks at it: a long one is counted as
   * work.
   */
  public final RawValue counted(Frame frame) {
    RawValue value = evaluate(frame);
    if (value != null && value.length() > UNCOUNTED_BYTES) {
      frame.meter().add(value.length());
    }
    return value;
  }

  /** Whether the value counts as true. For conditions that need no value. */
  public boolean test(Frame frame) {
    return Values.isTrue(evaluate(frame));
  }

  /** Adds the value to the document that is open; a missing one is left out. */
  public void append(byte[] name, Frame frame, BsonBuilder out) {
    RawValue value = evaluate(frame);
    if (value != null) {
      out.append(name, value);
    }
  }

  /**
   * An expression that gives the same values with less work: what depends on no document is
   * computed now. Changes the tree, so it must be called before the tree is shared. Throws what
   * evaluating the constant part throws.
   */
  public Expression optimize() {
    return this;
  }

  /**
   * The same for a stage. In an update a constant that cannot be computed fails only when a
   * document is updated.
   */
  public final Expression optimizeIn(QueryContext context) {
    try {
      return optimize();
    } catch (CommandException e) {
      if (context.nesting().inUpdate()) {
        return this;
      }
      throw e;
    }
  }

  /** The value, if it is the same for all documents and known. */
  public boolean isConstant() {
    return false;
  }

  /** The expression as a value that can be parsed again, as explain shows it. */
  public abstract RawValue serialize();

  /** Tells which parts of a document the value depends on. */
  public abstract void addDependencies(Dependencies dependencies);
}
