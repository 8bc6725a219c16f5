/**
 * JavaScript inside the server: {@code $where}, and whatever else runs functions of users.
 *
 * <p>{@link dev.wisent.query.script.ScriptEngine} compiles a function into a {@link
 * dev.wisent.query.script.Script}, which any thread may call. Functions see BSON as in MongoDB's
 * server and nothing of the machine: no files, no network, no threads, no Java. A client with
 * threads and clocks, a {@link dev.wisent.query.script.ScriptGuard}, ends those that run too long
 * or need too much memory.
 *
 * <p>The engine is large. It is loaded with the first function that is compiled, and not before.
 */
package dev.wisent.query.script;
