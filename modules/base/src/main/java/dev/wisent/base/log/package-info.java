/**
 * The server's log: one line of JSON per event, in the format that MongoDB's tools parse.
 *
 * <p>{@link dev.wisent.base.log.ServerLog} is the log of one server. It is created where the server
 * is assembled and hands out a {@link dev.wisent.base.log.Log} per {@link
 * dev.wisent.base.log.LogComponent}, which is passed to constructors; there is no static logger, so
 * two servers in one process do not mix their lines and an embedded server can be silent. Lines go
 * to a {@link dev.wisent.base.log.LogSink} and to a {@link dev.wisent.base.log.LogHistory}, from
 * which {@code getLog} answers.
 *
 * <p>Every call site has a number that is never reused for another event. Where MongoDB has the
 * same event, it is MongoDB's number (connection accepted is 22943 in both), so that people's
 * filters go on working; events of our own count from 9,000,000.
 *
 * <p>Threading: everything here may be called from any thread. Lines are formatted outside of locks
 * and written under one lock per sink.
 *
 * <p>Depends on nothing but the JDK and {@code dev.wisent.base}.
 */
package dev.wisent.base.log;
