/** Watches over functions in JavaScript, so that none runs for ever or takes all the memory. */
package dev.wisent.server.script;
