package dev.wisent.server.authorization;

import dev.wisent.bson.ValueText;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.command.SecretArguments;

/** A command in the message of its refusal: without secrets, and not of any length. */
final class RefusedText {
  private static final int CHARACTERS_MAX = 2_000;

  private RefusedText() {}

  static String of(CommandRequest request) {
    String text = ValueText.of(SecretArguments.hidden(request.name(), request.body()));
    return text.length() <= CHARACTERS_MAX ? text : text.substring(0, CHARACTERS_MAX) + "...";
  }
}
