package dev.wisent.pipeline.sort;

import dev.wisent.bson.RawDocument;

/**
 * A document that came out of a {@link Sorter}.
 *
 * @param recordId what was given with the document
 */
public record SortedDocument(RawDocument document, long recordId) {}
