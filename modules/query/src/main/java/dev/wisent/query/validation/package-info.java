/**
 * The validators of collections: whether a document matches, and if not, the explanation that
 * MongoDB gives in {@code errInfo}.
 *
 * <p>{@link dev.wisent.query.validation.Validator} is made once for a collection and used by many
 * threads. Explaining costs something only for documents that are refused.
 */
package dev.wisent.query.validation;
