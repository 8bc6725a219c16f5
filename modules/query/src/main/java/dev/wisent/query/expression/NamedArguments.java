package dev.wisent.query.expression;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawValue;
import java.util.Arrays;
import java.util.List;

/** The argument of an expression that takes <code>{input: …, as: …}</code>, taken apart. */
public final class NamedArguments {
  private final List<String> names;
  private final RawValue[] values;

  private NamedArguments(List<String> names) {
    this.names = names;
    this.values = new RawValue[names.size()];
  }

  /** What to complain about, with the code of each complaint. */
  public record Complaints(
      ErrorCode notObject, String notObjectText, ErrorCode unknown, String unknownText) {}

  /**
   * Reads the arguments. The names in the result are in the order given here.
   *
   * @param complaints {@code notObjectText} may have {@code %s} for the type that was found, {@code
   *     unknownText} for the name
   */
  public static NamedArguments read(RawValue argument, Complaints complaints, String... names) {
    if (!argument.isDocument()) {
      throw new CommandException(
          complaints.notObject(),
          complaints.notObjectText().replace("%s", Values.typeName(argument)));
    }
    var arguments = new NamedArguments(Arrays.asList(names));
    ElementCursor fields = argument.elements();
    while (fields.next()) {
      int index = arguments.names.indexOf(fields.name());
      if (index < 0) {
        throw new CommandException(
            complaints.unknown(), complaints.unknownText().replace("%s", fields.name()));
      }
      arguments.values[index] = fields.value();
    }
    return arguments;
  }

  /** An argument as it stands, or null. */
  public RawValue get(String name) {
    return values[names.indexOf(name)];
  }

  public boolean has(String name) {
    return get(name) != null;
  }

  /** An argument that has to be there. */
  public RawValue require(String name, ErrorCode code, String complaint) {
    RawValue value = get(name);
    if (value == null) {
      throw new CommandException(code, complaint);
    }
    return value;
  }

  /** The arguments as expressions, in the order of the names; null for those not given. */
  public Expression[] parse(ExpressionParser parser) {
    var expressions = new Expression[values.length];
    for (int i = 0; i < values.length; i++) {
      expressions[i] = parser.parseOptional(values[i]);
    }
    return expressions;
  }

  public String[] names() {
    return names.toArray(String[]::new);
  }
}
