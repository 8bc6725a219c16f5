/** Tests of who may run what. */
package dev.wisent.server.authorization;
