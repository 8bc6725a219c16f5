/** The version of what a node tells about its role, and the wait for the next one. */
package dev.wisent.server.topology;
