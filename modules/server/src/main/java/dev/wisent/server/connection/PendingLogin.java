package dev.wisent.server.connection;

import dev.wisent.security.scram.ScramServerConversation;

/**
 * A login that takes more messages.
 *
 * @param isSpeculative whether it began in {@code hello}
 * @param failure what is known of why it will fail, for the log; empty if nothing is
 */
public record PendingLogin(
    ScramServerConversation conversation,
    String database,
    boolean isSpeculative,
    StringBuilder failure) {}
