package dev.wisent.server.authentication;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.security.scram.ScramClientConversation;
import dev.wisent.security.scram.ScramException;
import dev.wisent.security.scram.ScramMechanism;
import dev.wisent.wire.client.CommandReplies;
import dev.wisent.wire.client.InternalAuthentication.Exchange;
import java.io.IOException;

/** The commands of one login by SCRAM at another server. */
final class ScramExchange {
  private static final byte[] EMPTY = {};

  private final String database;
  private final Exchange exchange;

  ScramExchange(String database, Exchange exchange) {
    this.database = database;
    this.exchange = exchange;
  }

  /**
   * Goes through a conversation.
   *
   * @return the error of the other server; null if it has agreed
   * @throws IOException if the other server does not prove that it knows the password
   */
  RawDocument prove(ScramMechanism mechanism, ScramClientConversation conversation)
      throws IOException {
    RawDocument started = exchange.send(start(mechanism, conversation.first()));
    if (!CommandReplies.isOk(started)) {
      return started;
    }
    try {
      RawDocument ended = proceed(started, conversation.prove(payload(started)));
      if (!CommandReplies.isOk(ended)) {
        return ended;
      }
      conversation.verify(payload(ended));
      // Servers before 4.4 want one more message.
      RawValue done = ended.get("done");
      RawDocument last = done != null && done.isTruthy() ? ended : proceed(started, EMPTY);
      return CommandReplies.isOk(last) ? null : last;
    } catch (ScramException e) {
      throw new IOException("the other server does not know the password: " + e.getMessage(), e);
    }
  }

  private RawDocument start(ScramMechanism mechanism, byte[] payload) {
    return new BsonBuilder()
        .appendInt32("saslStart", 1)
        .appendString("mechanism", mechanism.toString())
        .appendBinary("payload", (byte) 0, payload)
        .startDocument("options")
        .appendBoolean("skipEmptyExchange", true)
        .end()
        .appendString("$db", database)
        .toDocument();
  }

  private RawDocument proceed(RawDocument started, byte[] payload) throws IOException {
    RawValue conversation = started.get("conversationId");
    return exchange.send(
        new BsonBuilder()
            .appendInt32("saslContinue", 1)
            .appendInt32("conversationId", conversation == null ? 1 : (int) conversation.toLong())
            .appendBinary("payload", (byte) 0, payload)
            .appendString("$db", database)
            .toDocument());
  }

  private static byte[] payload(RawDocument reply) throws IOException {
    RawValue payload = reply.get("payload");
    if (payload == null || payload.type() != ElementType.BINARY) {
      throw new IOException("an answer without a payload");
    }
    return payload.asBinary();
  }
}
