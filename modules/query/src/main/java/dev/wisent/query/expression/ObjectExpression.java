package dev.wisent.query.expression;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawValue;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** <code>{a: e1, b: e2, …}</code>: a document; fields whose value is missing are left out. */
public final class ObjectExpression extends Expression {
  private final byte[][] names;
  private final Expression[] values;

  ObjectExpression(List<String> names, List<Expression> values) {
    this.names = names.stream().map(n -> n.getBytes(StandardCharsets.UTF_8)).toArray(byte[][]::new);
    this.values = values.toArray(Expression[]::new);
  }

  public int fieldCount() {
    return values.length;
  }

  /** The name of a field in UTF-8. Not to be written to. */
  public byte[] name(int field) {
    return names[field];
  }

  public Expression value(int field) {
    return values[field];
  }

  @Override
  public RawValue evaluate(Frame frame) {
    var out = new BsonBuilder();
    appendFields(frame, out);
    return RawValue.ofDocument(out.toDocument());
  }

  @Override
  public boolean test(Frame frame) {
    return true;
  }

  @Override
  public void append(byte[] name, Frame frame, BsonBuilder out) {
    out.startDocument(name);
    appendFields(frame, out);
    out.end();
  }

  private void appendFields(Frame frame, BsonBuilder out) {
    for (int i = 0; i < values.length; i++) {
      values[i].append(names[i], frame, out);
    }
  }

  @Override
  public Expression optimize() {
    boolean constant = true;
    for (int i = 0; i < values.length; i++) {
      values[i] = values[i].optimize();
      constant &= values[i].isConstant();
    }
    return constant ? new ConstantExpression(evaluate(Frame.ofConstants())) : this;
  }

  @Override
  public RawValue serialize() {
    var out = new BsonBuilder();
    for (int i = 0; i < values.length; i++) {
      out.append(names[i], values[i].serialize());
    }
    return RawValue.ofDocument(out.toDocument());
  }

  @Override
  public void addDependencies(Dependencies dependencies) {
    for (Expression value : values) {
      value.addDependencies(dependencies);
    }
  }
}
