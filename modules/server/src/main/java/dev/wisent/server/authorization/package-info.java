/**
 * Whether a client may run a command: {@link dev.wisent.server.authorization.AccessCheck} asks the
 * command's {@link dev.wisent.server.authorization.AccessRule}, which the privilege column of the
 * command table gives, or a class of this package where the arguments decide. Rules read arguments
 * and never look at what is stored, so that a refusal tells nothing of it. Thread-safe.
 */
package dev.wisent.server.authorization;
