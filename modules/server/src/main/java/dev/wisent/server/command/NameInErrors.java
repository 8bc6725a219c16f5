package dev.wisent.server.command;

/**
 * What stands before a field's name in errors: MongoDB's parsers of two commands differ, and what a
 * router sends to config servers has the client's name.
 */
final class NameInErrors {
  private static final String OF_CONFIG_SERVERS = "_configsvr";

  private NameInErrors() {}

  static String of(String command) {
    return switch (command) {
      case "find" -> "FindCommandRequest";
      case "distinct" -> "distinctCommandRequest";
      default -> command.startsWith(OF_CONFIG_SERVERS) ? ofClient(command) : command;
    };
  }

  private static String ofClient(String command) {
    String rest = command.substring(OF_CONFIG_SERVERS.length());
    return rest.isEmpty() ? command : Character.toLowerCase(rest.charAt(0)) + rest.substring(1);
  }
}
