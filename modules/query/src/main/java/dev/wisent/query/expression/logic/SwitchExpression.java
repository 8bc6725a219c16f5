package dev.wisent.query.expression.logic;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawValue;
import dev.wisent.query.expression.Dependencies;
import dev.wisent.query.expression.Expression;
import dev.wisent.query.expression.ExpressionParser;
import dev.wisent.query.expression.Frame;
import dev.wisent.query.expression.Values;
import java.util.ArrayList;
import java.util.List;

/** {@code $switch}: the first branch whose case is true, or the default. */
final class SwitchExpression extends Expression {
  private static final class Branch {
    Expression condition;
    Expression result;
  }

  private List<Branch> branches;

  /** Null where there is none. */
  private Expression otherwise;

  private SwitchExpression(List<Branch> branches, Expression otherwise) {
    this.branches = branches;
    this.otherwise = otherwise;
  }

  static Expression parse(ExpressionParser parser, RawValue argument) {
    if (!argument.isDocument()) {
      throw new CommandException(
          ErrorCode.SWITCH_NOT_OBJECT,
          "$switch requires an object as an argument, found: " + Values.typeName(argument));
    }
    var branches = new ArrayList<Branch>();
    Expression otherwise = null;
    ElementCursor fields = argument.elements();
    while (fields.next()) {
      switch (fields.name()) {
        case "branches" -> parseBranches(parser, fields.value(), branches);
        case "default" -> otherwise = parser.parse(fields.value());
        default ->
            throw new CommandException(
                ErrorCode.SWITCH_UNKNOWN, "$switch found an unknown argument: " + fields.name());
      }
    }
    if (branches.isEmpty()) {
      throw new CommandException(
          ErrorCode.SWITCH_WITHOUT_BRANCH, "$switch requires at least one branch.");
    }
    return new SwitchExpression(branches, otherwise);
  }

  private static void parseBranches(
      ExpressionParser parser, RawValue argument, List<Branch> branches) {
    if (!argument.isArray()) {
      throw new CommandException(
          ErrorCode.SWITCH_BRANCHES_NOT_ARRAY,
          "$switch expected an array for 'branches', found: " + Values.typeName(argument));
    }
    ElementCursor elements = argument.elements();
    while (elements.next()) {
      branches.add(parseBranch(parser, elements.value()));
    }
  }

  private static Branch parseBranch(ExpressionParser parser, RawValue argument) {
    if (!argument.isDocument()) {
      throw new CommandException(
          ErrorCode.SWITCH_BRANCH_NOT_OBJECT,
          "$switch expected each branch to be an object, found: " + Values.typeName(argument));
    }
    var branch = new Branch();
    ElementCursor fields = argument.elements();
    while (fields.next()) {
      switch (fields.name()) {
        case "case" -> branch.condition = parser.parse(fields.value());
        case "then" -> branch.result = parser.parse(fields.value());
        default ->
            throw new CommandException(
                ErrorCode.SWITCH_BRANCH_UNKNOWN,
                "$switch found an unknown argument to a branch: " + fields.name());
      }
    }
    if (branch.condition == null) {
      throw new CommandException(
          ErrorCode.SWITCH_BRANCH_WITHOUT_CASE,
          "$switch requires each branch have a 'case' expression");
    }
    if (branch.result == null) {
      throw new CommandException(
          ErrorCode.SWITCH_BRANCH_WITHOUT_THEN,
          "$switch requires each branch have a 'then' expression.");
    }
    return branch;
  }

  @Override
  public RawValue evaluate(Frame frame) {
    for (int i = 0; i < branches.size(); i++) {
      if (branches.get(i).condition.test(frame)) {
        return branches.get(i).result.evaluate(frame);
      }
    }
    if (otherwise == null) {
      throw new CommandException(
          ErrorCode.SWITCH_NO_MATCH,
          "$switch could not find a matching branch for an input, and no default was specified.");
    }
    return otherwise.evaluate(frame);
  }

  @Override
  public Expression optimize() {
    var open = new ArrayList<Branch>();
    for (Branch branch : branches) {
      branch.condition = branch.condition.optimize();
      branch.result = branch.result.optimize();
      boolean decided = branch.condition.isConstant();
      if (decided && branch.condition.test(null)) {
        otherwise = branch.result;
        branches = open;
        return open.isEmpty() ? otherwise : this;
      }
      if (!decided) {
        open.add(branch);
      }
    }
    branches = open;
    otherwise = otherwise == null ? null : otherwise.optimize();
    return open.isEmpty() && otherwise != null ? otherwise : this;
  }

  @Override
  public RawValue serialize() {
    var out = new BsonBuilder().startDocument("$switch").startArray("branches");
    for (int i = 0; i < branches.size(); i++) {
      out.startDocument(i);
      out.append("case", branches.get(i).condition.serialize());
      out.append("then", branches.get(i).result.serialize());
      out.end();
    }
    out.end();
    if (otherwise != null) {
      out.append("default", otherwise.serialize());
    }
    return RawValue.ofDocument(out.end().toDocument());
  }

  @Override
  public void addDependencies(Dependencies dependencies) {
    for (Branch branch : branches) {
      branch.condition.addDependencies(dependencies);
      branch.result.addDependencies(dependencies);
    }
    if (otherwise != null) {
      otherwise.addDependencies(dependencies);
    }
  }
}
