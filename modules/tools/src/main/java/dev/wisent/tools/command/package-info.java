/**
 * What all tools share: flags with their help, messages, interruption, and tasks beside each other.
 *
 * <p>{@link dev.wisent.tools.command.FlagTable} is the list of a tool's flags under the names that
 * its MongoDB counterpart gives them, also of those that are refused; {@link
 * dev.wisent.tools.command.Flags} is a command line after parsing. A {@link
 * dev.wisent.tools.command.Surroundings} is what a tool knows of its process.
 *
 * <p>Threading: flags are immutable after parsing; {@link dev.wisent.tools.command.Messages},
 * {@link dev.wisent.tools.command.Interruption} and {@link dev.wisent.tools.command.Workers} are
 * thread-safe.
 */
package dev.wisent.tools.command;
