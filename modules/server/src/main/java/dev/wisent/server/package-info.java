/**
 * What all parts of a server share: how it was started ({@link dev.wisent.server.ServerOptions}),
 * what it is called, and what commands are made from ({@link dev.wisent.server.ServerServices}).
 */
package dev.wisent.server;
