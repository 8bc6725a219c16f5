package dev.wisent.database.view;

import dev.wisent.bson.RawDocument;
import dev.wisent.operation.Namespace;
import dev.wisent.query.collation.Collation;

/**
 * What reading a view comes down to.
 *
 * @param base the collection at the bottom, which need not exist
 * @param pipeline the stages of all views on the way, as an array, the lowest first
 * @param collation that of the view; null for the simple one
 */
public record ResolvedView(Namespace base, RawDocument pipeline, Collation collation) {}
