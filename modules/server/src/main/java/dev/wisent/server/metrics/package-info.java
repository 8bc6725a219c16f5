/** What the server counts about itself. Thread-safe. */
package dev.wisent.server.metrics;
