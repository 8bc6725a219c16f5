/** Commands that make, change, list and check databases, collections and indexes. */
package dev.wisent.server.command.collection;
