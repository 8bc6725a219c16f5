/** Commands about the server itself: handshake, state, parameters, logs. */
package dev.wisent.server.command.diagnostic;
