/**
 * What is known about clients: {@link dev.wisent.server.connection.ClientConnection} for each,
 * {@link dev.wisent.server.connection.ConnectedClients} for all.
 */
package dev.wisent.server.connection;
