package dev.wisent.query.update;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawValue;
import dev.wisent.query.update.element.ElementText;

/** {@code $rename}: sets the target to the source's value and removes the source. */
record RenameUpdate(UpdatePath source, UpdatePath target) {
  /** {@code source} is parsed already; the argument must be the path of the target. */
  static RenameUpdate parse(UpdatePath source, RawValue argument) {
    if (!argument.isString()) {
      throw badValue("The 'to' field for $rename must be a string: ", source, argument);
    }
    UpdatePath target = UpdatePath.parse(argument.asString());
    if (target.dotted().indexOf('\0') >= 0) {
      throw new CommandException(
          ErrorCode.BAD_VALUE, "The 'to' field for $rename cannot contain an embedded null byte");
    }
    if (source.parts().equals(target.parts())) {
      throw badValue("The source and target field for $rename must differ: ", source, argument);
    }
    if (source.isPrefixOf(target) || target.isPrefixOf(source)) {
      throw badValue(
          "The source and target field for $rename must not be on the same path: ",
          source,
          argument);
    }
    if (source.isDynamic()) {
      throw new CommandException(
          ErrorCode.BAD_VALUE,
          "The source field for $rename may not be dynamic: " + source.dotted());
    }
    if (target.isDynamic()) {
      throw new CommandException(
          ErrorCode.BAD_VALUE,
          "The destination field for $rename may not be dynamic: " + target.dotted());
    }
    return new RenameUpdate(source, target);
  }

  private static CommandException badValue(String problem, UpdatePath source, RawValue argument) {
    return new CommandException(
        ErrorCode.BAD_VALUE, problem + ElementText.of(source.dotted(), argument));
  }
}
