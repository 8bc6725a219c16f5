/**
 * How two versions of a document differ, in the form that MongoDB's oplog has since 5.0 ({@code
 * {$v: 2, diff: ...}}), and how a version is made from the one before. Pure: bytes in, bytes out.
 *
 * <p>The difference of two documents has up to these fields, in this order: {@code d} (fields that
 * are gone, each with false), {@code u} (new values of fields that stay where they are), {@code i}
 * (fields that are new, or have moved, at the end), and {@code s<field>} with the difference of a
 * nested document or array. That of two arrays has {@code a: true}, {@code l} (the length, if they
 * became shorter), and {@code u<index>} or {@code s<index>}.
 */
package dev.wisent.query.diff;
