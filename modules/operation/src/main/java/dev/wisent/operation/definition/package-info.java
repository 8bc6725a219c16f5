/**
 * What commands ask about collections, indexes and databases, by value: {@link
 * dev.wisent.operation.definition.Definitions} with its requests and outcomes. A node binds it to
 * its catalog, a router to shards. Requests and outcomes are immutable.
 */
package dev.wisent.operation.definition;
