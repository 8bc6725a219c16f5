/**
 * The manual and the completion of shells, made from the texts that {@code --help} shows: {@link
 * dev.wisent.cli.manual.HelpText} reads such a text, {@link dev.wisent.cli.manual.ManPage}, {@link
 * dev.wisent.cli.manual.BashCompletion}, {@link dev.wisent.cli.manual.ZshCompletion} and {@link
 * dev.wisent.cli.manual.FishCompletion} write it for their readers, and {@link
 * dev.wisent.cli.manual.Manual} puts the files where the readers look. The build of a distribution
 * calls it. For one thread.
 */
package dev.wisent.cli.manual;
