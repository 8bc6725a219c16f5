/**
 * Runs what the documents have readers type. {@link dev.wisent.conformance.pages.PagesTest} takes
 * each page from top to bottom: blocks in {@code js} go to one {@code mongosh}, blocks in {@code
 * sh} to a shell in which {@code wisent} is this build, and what a block in {@code text} shows has
 * to be printed by the block above it. Three points stand for any text. A page says in a remark
 * which servers it is about ({@link dev.wisent.conformance.pages.PageServers}); they run inside the
 * JVM of the tests and serve all pages.
 *
 * <p>Comments that readers do not see mark the blocks that are not run in this way ({@link
 * dev.wisent.testkit.page.MarkdownPage}):
 *
 * <ul>
 *   <li>{@code not run: REASON} and, for output, {@code not compared: REASON};
 *   <li>{@code run by: TEST}: a test of its own, in any module, reads the block from the page and
 *       runs it in each build;
 *   <li>{@code part of: FILE}: the block is in a file that the build compiles or runs;
 *   <li>{@code long run}: {@link dev.wisent.conformance.pages.LongPagesTest} runs it, which is not
 *       part of {@code mvn verify}.
 * </ul>
 *
 * <p>Threading: everything is confined to the test's thread; the tools run in a process of their
 * own, whose current directory is that of the page.
 */
package dev.wisent.conformance.pages;
