/**
 * Retryable writes: what a session has written under its newest transaction number is remembered
 * with the write itself, so that a client that lost the answer can ask again and nothing is done
 * twice, also when another member answers.
 *
 * <p>{@link dev.wisent.database.session.RetryableWrites} lets one write of a session run at a time;
 * {@link dev.wisent.operation.RetryableWrite} goes along with the operation, knows which of its
 * statements are done already and adds those that are done now to their mutation.
 *
 * <p><b>Bytes</b> (in the system keyspace). The key of a session is {@code retry/}, one byte with
 * the length of the session's id, and the id. Its value ({@link
 * dev.wisent.database.session.SessionRecord}) holds the newest transaction number and the
 * statements done under it, except those that did not fit: they are in pages, whose keys are the
 * session's key and a 4-byte big-endian number. A statement that is not done may be there too, with
 * the number of the newest attempt of a router to execute it. Version 1 is of a retryable write.
 * Version 2 is of a transaction: a byte says how it ended, in the place of the statements.
 */
package dev.wisent.database.session;
