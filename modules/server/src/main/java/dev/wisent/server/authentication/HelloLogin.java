package dev.wisent.server.authentication;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.security.UserName;
import dev.wisent.server.access.AccessControl;
import dev.wisent.server.access.LoginSettings;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.CommandContext;
import java.util.List;

/** What {@code hello} does for a login: tells the mechanisms of a user, and begins a login. */
public final class HelloLogin {
  private static final String SPECULATIVE = "speculativeAuthenticate";

  /** Those of a user that can do all, and of one that does not exist. */
  private static final List<String> SCRAM = List.of("SCRAM-SHA-256", "SCRAM-SHA-1");

  private final Logins logins;
  private final ScramLogin scram;
  private final AuthenticateCommand authenticate;

  public HelloLogin(Logins logins, ScramLogin scram, AuthenticateCommand authenticate) {
    this.logins = logins;
    this.scram = scram;
    this.authenticate = authenticate;
  }

  public void append(RawDocument body, CommandContext context, BsonBuilder reply) {
    RawValue asked = body.get("saslSupportedMechs");
    if (asked != null && !asked.isNullish()) {
      appendMechanisms(user(asked), reply);
    }
    RawValue login = body.get(SPECULATIVE);
    if (login != null && login.isDocument()) {
      begin(login.asDocument(), context, reply);
    }
  }

  private static UserName user(RawValue asked) {
    String text = asked.isString() ? asked.asString() : "";
    int dot = text.indexOf('.');
    if (dot < 0) {
      throw new CommandException(
          ErrorCode.BAD_VALUE, "Unable to parse UserName of saslSupportedMechs, expected db.user");
    }
    return new UserName(text.substring(dot + 1), text.substring(0, dot));
  }

  private void appendMechanisms(UserName user, BsonBuilder reply) {
    logins.counters().mechanismsAsked();
    reply.startArray("saslSupportedMechs");
    int count = 0;
    for (String mechanism : mechanisms(user)) {
      reply.append(count++, RawValue.ofString(mechanism));
    }
    reply.end();
  }

  /** A user that does not exist has those that others have by default. */
  private List<String> mechanisms(UserName user) {
    AccessControl access = logins.access();
    if (user.equals(UserName.SYSTEM)) {
      return List.of(SCRAM.getFirst());
    }
    List<String> served = access.logins().mechanisms();
    if (user.database().equals(UserName.EXTERNAL)) {
      return served.contains(LoginSettings.X509) ? List.of(LoginSettings.X509) : List.of();
    }
    RawValue credentials =
        access.users().find(user).map(known -> known.stored().get("credentials")).orElse(null);
    RawDocument stored =
        credentials != null && credentials.isDocument() ? credentials.asDocument() : null;
    return SCRAM.stream()
        .filter(served::contains)
        .filter(mechanism -> stored == null || stored.get(mechanism) != null)
        .toList();
  }

  /** A login that fails here is as one that was not tried: the client begins it again. */
  private void begin(RawDocument login, CommandContext context, BsonBuilder reply) {
    ElementCursor fields = login.elements();
    String command = fields.next() ? fields.name() : "";
    var answer = new BsonBuilder();
    try {
      ArgumentReader arguments = ArgumentReader.of(SPECULATIVE, login);
      switch (command) {
        case "saslStart" -> {
          SaslStart start = SaslStart.parse(SPECULATIVE, arguments, null);
          SaslStart.append(scram.start(context, start, true), start.isText(), answer);
        }
        case "authenticate" -> authenticate.run(context, arguments, null, true, answer);
        default -> {
          return;
        }
      }
    } catch (CommandException refused) {
      context.client().pendingLogin(null);
      return;
    }
    reply.appendDocument(SPECULATIVE, answer.toDocument());
  }
}
