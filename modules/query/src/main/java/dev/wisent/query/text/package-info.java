/**
 * Text search as MongoDB's text indexes of version 3 have it: how text becomes terms, what a term
 * is worth in a document, and what a search string asks for.
 *
 * <p>{@link dev.wisent.query.text.TextTokenizer} splits text and reduces words to terms, with the
 * stemmers and stop words of Lucene. {@link dev.wisent.query.text.TextIndexSpec} says which fields
 * of a document are text and what they weigh; {@link dev.wisent.query.text.TermScores} adds up what
 * the terms of a document are worth. {@link dev.wisent.query.text.TextSearch} is a search string,
 * parsed, and {@link dev.wisent.query.text.TextMatcher} asks a document for it.
 *
 * <p>Lucene and the character tables are loaded when the first word is looked at, not before.
 * Tokenizers, and what is made of them, keep buffers and belong to one thread; the rest is
 * immutable.
 */
package dev.wisent.query.text;
