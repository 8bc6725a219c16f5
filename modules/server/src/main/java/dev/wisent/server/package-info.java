/**
 * Assembles a node from its parts: {@link dev.wisent.server.WisentServer} opens storage, makes the
 * commands and starts the transport.
 */
package dev.wisent.server;
