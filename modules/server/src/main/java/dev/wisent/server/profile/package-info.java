/**
 * What is told about commands that have ended: the slow log and {@code system.profile}. Costs two
 * comparisons a command where it is switched off. Thread-safe.
 */
package dev.wisent.server.profile;
