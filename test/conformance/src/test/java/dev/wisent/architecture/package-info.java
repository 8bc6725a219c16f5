/**
 * The rules that keep the code in the shape the documents describe, as tests: which module may use
 * which, in which direction the packages of a module use each other, what stays behind a seam, and
 * how sources are laid out. A failure names the file, the line and what to do instead.
 *
 * <p>The list of modules and arrows is the one in ARCHITECTURE.md.
 */
package dev.wisent.architecture;
