/**
 * The file of keys that the members of a cluster have in common: {@link
 * dev.wisent.security.keyfile.KeyFile}. Immutable.
 */
package dev.wisent.security.keyfile;
