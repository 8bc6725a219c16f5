/**
 * The documents of the checkout, as tests read them: {@link dev.wisent.testkit.page.Checkout} finds
 * the files, {@link dev.wisent.testkit.page.MarkdownPage} cuts out the blocks of code.
 *
 * <p>Threading: the types are immutable.
 */
package dev.wisent.testkit.page;
