/**
 * One client connection: what is known about the client ({@link
 * dev.wisent.server.connection.ClientConnection}), and how its messages become commands and replies
 * ({@link dev.wisent.server.connection.MessageHandler}).
 */
package dev.wisent.server.connection;
