/**
 * What commands ask of a database that is neither a document nor a definition: figures, checks and
 * remembered plans. Requests and answers are immutable values.
 */
package dev.wisent.operation.diagnostic;
