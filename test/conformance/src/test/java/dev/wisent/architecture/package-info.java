/**
 * The rules that keep the code in the shape the documents describe, as tests: which module may use
 * which, in which direction the packages of a module use each other, what stays behind a seam, and
 * how sources are laid out. A failure names the file, the line and what to do instead.
 *
 * <p>{@link dev.wisent.architecture.Modules} is the list of modules and arrows, to be changed
 * together with ARCHITECTURE.md.
 */
package dev.wisent.architecture;
