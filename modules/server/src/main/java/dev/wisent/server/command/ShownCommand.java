package dev.wisent.server.command;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;

/**
 * A command as reports show it: without passwords, and one that is too long is cut down to its name
 * and comment.
 */
public final class ShownCommand {
  /** The field with the name of a command that was cut down. */
  public static final String CUT = "$truncated";

  private ShownCommand() {}

  /**
   * @param comment null where there is none
   * @return the command itself where it is short enough
   */
  public static RawDocument of(RawDocument command, String name, RawValue comment, int bytesMax) {
    if (command.length() <= bytesMax) {
      return SecretArguments.hidden(name, command);
    }
    var out = new BsonBuilder().appendString(CUT, name);
    if (comment != null && comment.length() <= bytesMax) {
      out.append("comment", comment);
    }
    return out.toDocument();
  }
}
