package dev.wisent.server.authentication;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.RandomSource;
import dev.wisent.bson.RawValue;
import dev.wisent.security.UserName;
import dev.wisent.security.scram.ScramCredential;
import dev.wisent.security.scram.ScramException;
import dev.wisent.security.scram.ScramMechanism;
import dev.wisent.security.scram.ScramServerConversation;
import dev.wisent.security.user.User;
import dev.wisent.server.access.AccessControl;
import dev.wisent.server.access.ClusterIdentity;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.connection.PendingLogin;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/** Logins by SCRAM, of users and of members that have a key. Thread-safe. */
public final class ScramLogin {
  private static final int NONCE_BYTES = 24;

  private final Logins logins;
  private final AccessControl access;
  private final RandomSource random;

  public ScramLogin(Logins logins, RandomSource random) {
    this.logins = logins;
    this.access = logins.access();
    this.random = random;
  }

  /** Begins a login; one that had begun before is dropped. */
  ScramServerConversation.Answer start(
      CommandContext context, SaslStart request, boolean isSpeculative) {
    context.client().pendingLogin(null);
    String name = request.mechanism();
    logins.counters().received(name, isSpeculative);
    ScramMechanism mechanism = ScramMechanism.byName(name).orElse(null);
    if (mechanism == null || !isServed(name)) {
      var attempt =
          new LoginAttempt(
              context,
              new UserName("", request.database()),
              name,
              isSpeculative,
              isSpeculative,
              null);
      String why =
          "Received authentication for mechanism " + name + " which is unknown or not enabled";
      throw logins.fail(attempt, why, new CommandException(ErrorCode.MECHANISM_UNAVAILABLE, why));
    }
    if (request.database().equals(UserName.EXTERNAL)) {
      throw new CommandException(
          ErrorCode.BAD_VALUE,
          "Unsupported mechanism '" + name + "' on authentication database '$external'");
    }
    var failure = new StringBuilder();
    var stored = new AtomicReference<User>();
    var conversation =
        new ScramServerConversation(
            mechanism,
            user -> {
              var who = new UserName(user, request.database());
              List<ScramCredential> known = credentials(who, mechanism, stored, failure);
              if (isSpeculative && known.isEmpty()) {
                // The client chose before it knew which mechanisms the user has.
                throw new CommandException(ErrorCode.MECHANISM_UNAVAILABLE, failure.toString());
              }
              return known.isEmpty() ? List.of(inVain(who, mechanism)) : known;
            },
            random.nextSecret(NONCE_BYTES),
            request.skipsEmptyExchange());
    context
        .client()
        .pendingLogin(
            new PendingLogin(conversation, request.database(), isSpeculative, failure, stored));
    return proceed(context, request.payload(), isSpeculative);
  }

  /** Members need theirs whatever users may do. */
  private boolean isServed(String name) {
    return access.logins().mechanisms().contains(name)
        || (name.equals(ScramMechanism.SHA_256.toString()) && access.cluster().acceptsKeys());
  }

  /** Goes on with the login that has begun. */
  ScramServerConversation.Answer proceed(CommandContext context, byte[] payload) {
    return proceed(context, payload, false);
  }

  private ScramServerConversation.Answer proceed(
      CommandContext context, byte[] payload, boolean isInHello) {
    PendingLogin login = context.client().pendingLogin();
    if (login == null) {
      throw new CommandException(ErrorCode.PROTOCOL_ERROR, "No SASL session state found");
    }
    ScramServerConversation conversation = login.conversation();
    ScramServerConversation.Answer answer;
    try {
      answer = conversation.answer(payload);
    } catch (ScramException e) {
      String known = login.failure().toString();
      throw logins.fail(
          attempt(context, login, isInHello),
          known.isEmpty() ? "AuthenticationFailed: " + e.getMessage() : known);
    }
    if (answer.isDone()) {
      LoginAttempt attempt = attempt(context, login, isInHello);
      logins.succeed(attempt, attempt.user().equals(UserName.SYSTEM));
    }
    return answer;
  }

  private static LoginAttempt attempt(
      CommandContext context, PendingLogin login, boolean isInHello) {
    ScramServerConversation conversation = login.conversation();
    return new LoginAttempt(
        context,
        new UserName(conversation.user(), login.database()),
        conversation.mechanism().toString(),
        login.isSpeculative(),
        isInHello,
        login.user().get());
  }

  /**
   * What a client has to prove; empty if the user has nothing for this mechanism. Where there is no
   * user, the client goes through the same steps in vain.
   *
   * @param found gets the user
   * @param failure gets the reason why it fails
   */
  private List<ScramCredential> credentials(
      UserName name, ScramMechanism mechanism, AtomicReference<User> found, StringBuilder failure) {
    ClusterIdentity cluster = access.cluster();
    if (name.equals(UserName.SYSTEM)) {
      if (cluster.acceptsKeys() && mechanism == ScramMechanism.SHA_256) {
        return cluster.credentials();
      }
      failure.append("AuthenticationFailed: members do not log in here by ").append(mechanism);
    } else if (!access.logins().mechanisms().contains(mechanism.toString())) {
      failure.append("BadValue: ").append(mechanism).append(" authentication is disabled");
    } else {
      Optional<User> user = access.users().find(name);
      user.ifPresent(found::set);
      Optional<ScramCredential> stored = user.flatMap(known -> stored(known, mechanism, failure));
      if (stored.isPresent()) {
        return List.of(stored.get());
      }
      if (user.isPresent()) {
        return List.of();
      }
      failure.append(Logins.notFound(name));
    }
    return List.of(inVain(name, mechanism));
  }

  private ScramCredential inVain(UserName name, ScramMechanism mechanism) {
    return ScramCredential.ofUnknown(
        mechanism, name.id(), access.logins().iterations(mechanism), access.cluster().secret());
  }

  private static Optional<ScramCredential> stored(
      User user, ScramMechanism mechanism, StringBuilder failure) {
    RawValue credentials = user.stored().get("credentials");
    if (credentials != null && credentials.isDocument()) {
      try {
        Optional<ScramCredential> found = ScramCredential.find(credentials.asDocument(), mechanism);
        if (found.isPresent()) {
          return found;
        }
      } catch (IllegalArgumentException damaged) {
        failure
            .append("AuthenticationFailed: Unable to perform ")
            .append(mechanism)
            .append(" authentication for a user with damaged credentials");
        return Optional.empty();
      }
    }
    failure
        .append("MechanismUnavailable: Unable to use ")
        .append(mechanism)
        .append(" based authentication for user without any ")
        .append(mechanism)
        .append(" credentials registered");
    return Optional.empty();
  }
}
