/**
 * Aggregation pipelines: {@link dev.wisent.query.aggregate.Stages} lists the stages, {@link
 * dev.wisent.query.aggregate.Pipeline} parses them, and each {@link
 * dev.wisent.query.aggregate.Stage} turns one stream of documents into another. A stream belongs to
 * one thread.
 */
package dev.wisent.query.aggregate;
