/**
 * The commands that read and write documents. Each parses its arguments into a request of {@code
 * dev.wisent.operation}, runs it and shapes the reply; none knows where the documents are.
 */
package dev.wisent.server.command.crud;
