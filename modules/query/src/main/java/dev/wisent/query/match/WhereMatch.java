package dev.wisent.query.match;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawValue;
import dev.wisent.query.script.Script;

/** {@code $where}: a function in JavaScript says yes to the document. */
public record WhereMatch(RawValue code, Script script) implements MatchExpression {
  static MatchExpression parse(MatchParser parser, Operand operand) {
    RawValue code = operand.value();
    switch (code.type()) {
      case ElementType.STRING, ElementType.CODE -> {}
      case ElementType.CODE_WITH_SCOPE ->
          throw new CommandException(
              ErrorCode.WHERE_CODE_WITH_SCOPE,
              "$where no longer supports deprecated BSON type CodeWScope");
      default -> throw MatchErrors.badValue("$where got bad type");
    }
    if (code.asString().isEmpty()) {
      throw MatchErrors.badValue("code for $where cannot be empty");
    }
    if (parser.isInSubdocument()) {
      throw MatchErrors.badValue("$elemMatch cannot contain $where expression");
    }
    return new WhereMatch(code, parser.context().scripts().compile(code.asString()));
  }

  @Override
  public boolean matches(RawValue root, int boundParts, MatchDetails details) {
    return script.test(root.asDocument());
  }

  @Override
  public boolean matchesValue(RawValue value) {
    return value != null && value.isDocument() && script.test(value.asDocument());
  }

  /** The same code is the same condition, wherever it was compiled. */
  @Override
  public boolean equals(Object other) {
    return other instanceof WhereMatch that && code.equals(that.code);
  }

  @Override
  public int hashCode() {
    return code.hashCode();
  }
}
