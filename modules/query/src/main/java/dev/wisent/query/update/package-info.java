/**
 * Updates: operators, replacements and upserts, as functions from documents to documents.
 *
 * <p>{@link dev.wisent.query.update.UpdateParser} reads the {@code u} of an update statement into
 * an {@link dev.wisent.query.update.Update}; {@link dev.wisent.query.update.Update#apply} makes an
 * {@link dev.wisent.query.update.UpdateOutcome} of a document; {@link
 * dev.wisent.query.update.UpsertBuilder} makes the document that an upsert inserts. The names of
 * all operators stand in one table, {@link dev.wisent.query.update.UpdateOperators}: a new operator
 * is a class that implements {@code FieldOperator}, its test, and a row there.
 *
 * <p>How it works: the paths of an update form a tree ({@code PathNode}), which shows conflicts
 * when it is built and gives the order in which fields are created. {@code UpdateWalk} goes through
 * tree and document together and lays edits over the document's bytes ({@link
 * dev.wisent.query.update.element.MutableDocument}); these edits are also what a logical oplog
 * entry is made of. Updates of top-level fields that keep their size skip all this ({@code
 * TopLevelPatch}).
 *
 * <p>Errors thrown while parsing are reported as they are. For those thrown while applying, MongoDB
 * puts {@code Plan executor error during update :: caused by ::} in front of the message; that is
 * up to the caller, who knows the command.
 *
 * <p>Parsed updates are immutable and may be shared between threads. No clocks, no randomness and
 * no IO: what updates need of the world comes in {@link dev.wisent.query.update.UpdateContext}.
 */
package dev.wisent.query.update;
