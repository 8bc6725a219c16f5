package dev.wisent.cli.manual;

/**
 * A command with its help.
 *
 * @param name as it is typed after {@code wisent}
 * @param purpose in a line
 */
public record Command(String name, String purpose, HelpText help) {}
