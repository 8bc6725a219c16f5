/**
 * The command line: {@code wisent server}, {@code wisent cluster} and the tools, which have a
 * module of their own.
 *
 * <p>{@link dev.wisent.cli.WisentMain} is the entry point. {@link dev.wisent.cli.ServerFlag} lists
 * the flags of a server under the names that {@code mongod} gives them; a {@link
 * dev.wisent.cli.ConfigFile} is translated into the same flags, so there is one parser and one set
 * of messages, and {@link dev.wisent.cli.ServerCommand} checks the result. {@link
 * dev.wisent.cli.UnsupportedOptions} names what {@code mongod} can and this version cannot: such a
 * flag is refused with the reason. {@link dev.wisent.cli.IgnoredOptions} names what is about the
 * inside of {@code mongod}: such a flag is warned about. {@link dev.wisent.cli.ServerStart} is the
 * only class that knows the server's own options.
 *
 * <p>{@link dev.wisent.cli.ClusterRun} starts the members of a local cluster as child processes,
 * each of them a {@code wisent server} like any other.
 *
 * <p>Threading: everything runs on the main thread, except signal handlers, which only ask the
 * server to stop or the log to rotate.
 */
package dev.wisent.cli;
