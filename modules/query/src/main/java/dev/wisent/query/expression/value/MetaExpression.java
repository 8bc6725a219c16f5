package dev.wisent.query.expression.value;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawValue;
import dev.wisent.query.expression.Dependencies;
import dev.wisent.query.expression.Expression;
import dev.wisent.query.expression.ExpressionParser;
import dev.wisent.query.expression.Frame;
import dev.wisent.query.metadata.MetaType;
import dev.wisent.query.metadata.Metadata;

/** {@code {$meta: "textScore"}} and its kin; missing where the document does not carry it. */
final class MetaExpression extends Expression {
  private final MetaType type;

  private MetaExpression(MetaType type) {
    this.type = type;
  }

  static Expression parse(ExpressionParser parser, RawValue argument) {
    return new MetaExpression(MetaType.parse(argument));
  }

  @Override
  public RawValue evaluate(Frame frame) {
    return Metadata.of(frame.root(), type);
  }

  @Override
  public RawValue serialize() {
    return RawValue.ofDocument(new BsonBuilder().appendString("$meta", type.text()).toDocument());
  }

  @Override
  public void addDependencies(Dependencies dependencies) {
    dependencies.addMetadata(type);
  }
}
