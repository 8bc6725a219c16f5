/**
 * From bytes to requests and back: {@link dev.wisent.server.message.MessageHandler} reads the
 * messages of one connection, hands their commands to the dispatcher and writes the replies. One
 * worker at a time handles a connection.
 */
package dev.wisent.server.message;
