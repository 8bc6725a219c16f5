package dev.wisent.server.connection;

import dev.wisent.security.scram.ScramServerConversation;
import dev.wisent.security.user.User;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A login that takes more messages.
 *
 * @param isSpeculative whether it began in {@code hello}
 * @param failure what is known of why it will fail, for the log; empty if nothing is
 * @param user whose credentials are asked for; empty before the client has named it, and for one
 *     that is not stored
 */
public record PendingLogin(
    ScramServerConversation conversation,
    String database,
    boolean isSpeculative,
    StringBuilder failure,
    AtomicReference<User> user) {}
