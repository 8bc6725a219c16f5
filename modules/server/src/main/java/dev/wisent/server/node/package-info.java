/**
 * Assembles a node from its parts: {@link dev.wisent.server.node.WisentServer} makes the commands
 * and starts the transport, {@link dev.wisent.server.node.DataNode} opens what a node with data
 * has. No other package of this module uses this one, except the front door for programs that embed
 * a server.
 */
package dev.wisent.server.node;
