package dev.wisent.replication.member;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.replication.MemberLink;
import dev.wisent.wire.CommandClient;
import dev.wisent.wire.HostAndPort;
import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Asks other members, each over a connection of its own that is kept. One call at a time goes to a
 * member; who must not wait for the calls of others has his own {@code MemberCalls}.
 */
final class MemberCalls implements AutoCloseable {
  private final String pool;
  private final Map<String, Link> links = new ConcurrentHashMap<>();
  private volatile boolean closed;

  private static final class Link {
    CommandClient client; // guarded by this
    volatile CommandClient toClose;
    volatile boolean inUse;
    final AtomicInteger created = new AtomicInteger();
  }

  /**
   * @param pool what the calls are for
   */
  MemberCalls(String pool) {
    this.pool = pool;
  }

  /** The connections that were made. */
  Stream<MemberLink> links() {
    return links.entrySet().stream()
        .map(
            entry -> {
              Link link = entry.getValue();
              boolean open = link.toClose != null;
              return new MemberLink(
                  pool, entry.getKey(), open, open && link.inUse, link.created.get());
            });
  }

  /** Closes the connections to some hosts; the next call makes a new one. */
  void dropLinks(Set<String> hosts) {
    links.forEach(
        (host, link) -> {
          CommandClient client = hosts.contains(host) ? link.toClose : null;
          if (client != null) {
            client.close();
          }
        });
  }

  /**
   * Sends a command to the admin database of another node.
   *
   * @throws CommandException HostUnreachable, or the error that the other one answered
   */
  RawDocument call(String host, int timeoutMillis, Consumer<BsonBuilder> command) {
    RawDocument reply;
    try {
      reply = exchange(host, timeoutMillis, command);
    } catch (IOException e) {
      throw new CommandException(
          ErrorCode.HOST_UNREACHABLE, "Error connecting to " + host + " :: caused by :: " + e);
    }
    RawValue ok = reply.get("ok");
    if (ok == null || !ok.isTruthy()) {
      throw error(reply);
    }
    return reply;
  }

  private RawDocument exchange(String host, int timeoutMillis, Consumer<BsonBuilder> command)
      throws IOException {
    Link link = links.computeIfAbsent(host, key -> new Link());
    synchronized (link) {
      boolean fresh = link.client == null;
      link.inUse = true;
      try {
        return send(link, host, timeoutMillis, command);
      } catch (IOException e) {
        drop(link);
        if (fresh || closed) {
          throw e;
        }
        // The other one may have been restarted meanwhile.
        return sendAgain(link, host, timeoutMillis, command);
      } finally {
        link.inUse = false;
      }
    }
  }

  private RawDocument sendAgain(
      Link link, String host, int timeoutMillis, Consumer<BsonBuilder> command) throws IOException {
    try {
      return send(link, host, timeoutMillis, command);
    } catch (IOException e) {
      drop(link);
      throw e;
    }
  }

  private RawDocument send(Link link, String host, int timeoutMillis, Consumer<BsonBuilder> command)
      throws IOException {
    if (closed) {
      throw new IOException("this node is shutting down");
    }
    if (link.client == null) {
      HostAndPort address = HostAndPort.parse(host);
      link.client = CommandClient.connect(address.plainHost(), address.port(), timeoutMillis);
      link.toClose = link.client;
      link.created.incrementAndGet();
    }
    return link.client.call(
        out -> {
          command.accept(out);
          out.appendString("$db", "admin");
        },
        timeoutMillis);
  }

  private static void drop(Link link) {
    if (link.client != null) {
      link.client.close();
      link.client = null;
      link.toClose = null;
    }
  }

  private static CommandException error(RawDocument reply) {
    RawValue code = reply.get("code");
    RawValue message = reply.get("errmsg");
    int number = code != null && code.isNumber() ? (int) code.toLong() : 0;
    ErrorCode known =
        Arrays.stream(ErrorCode.values())
            .filter(candidate -> candidate.code() == number && number != 0)
            .findFirst()
            .orElse(ErrorCode.OPERATION_FAILED);
    return new CommandException(
        known, message != null && message.isString() ? message.asString() : "command failed");
  }

  /** Ends calls under way. */
  @Override
  public void close() {
    closed = true;
    for (Link link : links.values()) {
      CommandClient client = link.toClose;
      if (client != null) {
        client.close();
      }
    }
  }
}
