package dev.wisent.server.authentication;

import dev.wisent.base.RandomSource;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.security.UserName;
import dev.wisent.security.scram.ScramClientConversation;
import dev.wisent.security.scram.ScramKeys;
import dev.wisent.security.scram.ScramMechanism;
import dev.wisent.server.access.LoginSettings;
import dev.wisent.wire.HostAndPort;
import dev.wisent.wire.client.CommandReplies;
import dev.wisent.wire.client.InternalAuthentication;
import java.io.IOException;
import java.util.Optional;

/** How a program of ours logs in as a user, as drivers do. Thread-safe. */
public final class UserLogin implements InternalAuthentication {
  private static final int NONCE_BYTES = 24;

  private final UserName name;
  private final Method method;

  /** One way to log in; returns the error of the server, or null if it has agreed. */
  @FunctionalInterface
  private interface Method {
    RawDocument login(Exchange exchange) throws IOException;
  }

  private UserLogin(UserName name, Method method) {
    this.name = name;
    this.method = method;
  }

  /**
   * By a password.
   *
   * @param mechanism empty for the best one that the server has for the user
   */
  public static UserLogin byPassword(
      UserName name, String password, Optional<ScramMechanism> mechanism, RandomSource random) {
    return new UserLogin(
        name,
        exchange -> {
          ScramMechanism used =
              mechanism.isPresent() ? mechanism.get() : bestMechanism(name, exchange);
          String prepared = used.prepare(name.user(), password);
          var conversation =
              new ScramClientConversation(
                  used,
                  name.user(),
                  (salt, iterations) -> ScramKeys.derive(used, prepared, salt, iterations),
                  random.nextSecret(NONCE_BYTES));
          return new ScramExchange(name.database(), exchange).prove(used, conversation);
        });
  }

  /**
   * By the certificate that the connection has shown.
   *
   * @param subject the user; empty to leave that to the certificate
   */
  public static UserLogin byCertificate(String subject) {
    var name = new UserName(subject, UserName.EXTERNAL);
    return new UserLogin(
        name,
        exchange -> {
          var command = new BsonBuilder().appendInt32("authenticate", 1);
          command.appendString("mechanism", LoginSettings.X509);
          if (!subject.isEmpty()) {
            command.appendString("user", subject);
          }
          RawDocument reply =
              exchange.send(command.appendString("$db", UserName.EXTERNAL).toDocument());
          return CommandReplies.isOk(reply) ? null : reply;
        });
  }

  private static ScramMechanism bestMechanism(UserName name, Exchange exchange) throws IOException {
    RawDocument hello =
        exchange.send(
            new BsonBuilder()
                .appendInt32("hello", 1)
                .appendString("saslSupportedMechs", name.id())
                .appendString("$db", "admin")
                .toDocument());
    RawValue offered = hello.get("saslSupportedMechs");
    if (offered != null && offered.isArray()) {
      for (ElementCursor each = offered.elements(); each.next(); ) {
        if (each.value().isString()
            && each.value().asString().equals(ScramMechanism.SHA_256.toString())) {
          return ScramMechanism.SHA_256;
        }
      }
      return ScramMechanism.SHA_1;
    }
    // There is no such user, which the login will say.
    return ScramMechanism.SHA_256;
  }

  @Override
  public void authenticate(HostAndPort host, Exchange exchange) throws IOException {
    RawDocument refusal = method.login(exchange);
    if (refusal != null) {
      RawValue message = refusal.get("errmsg");
      String user = name.user().isEmpty() ? "the certificate's user" : name.toString();
      throw new IOException(
          "the login of "
              + user
              + " was refused: "
              + (message == null ? refusal.toJson() : message.asString()));
    }
  }
}
