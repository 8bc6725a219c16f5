package dev.wisent.cluster.call;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.wire.HostAndPort;
import dev.wisent.wire.client.HostPoolStats;
import dev.wisent.wire.client.NodeClient;
import dev.wisent.wire.client.NodeRequest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;

/** Nodes that answer as their scripts say, without sockets. Each is a member of a replica set. */
public final class ScriptedNodes implements NodeClient {
  /** A request, and the future that its answer goes to. */
  public record Call(HostAndPort host, NodeRequest request, CompletableFuture<RawDocument> answer) {
    public String name() {
      var fields = request.command().elements();
      fields.next();
      return fields.name();
    }

    public RawDocument body() {
      return request.command();
    }
  }

  private final Map<HostAndPort, Function<Call, RawDocument>> scripts = new ConcurrentHashMap<>();
  private final Map<HostAndPort, String> hellos = new ConcurrentHashMap<>();
  private final Map<HostAndPort, Set<Consumer<RawDocument>>> watches = new ConcurrentHashMap<>();

  /** All calls but pings, in the order of their arrival. */
  public final List<Call> calls = Collections.synchronizedList(new ArrayList<>());

  /** A set of one member, the primary. A script that returns null leaves the call open. */
  public static HostAndPort host(String name) {
    return HostAndPort.parse(name + ":27018");
  }

  /** Adds a member of a set. */
  public ScriptedNodes member(
      String set, String name, boolean primary, Function<Call, RawDocument> script) {
    scripts.put(host(name), script);
    hello(set, name, primary, name);
    return this;
  }

  /** Has a member say what it is now. */
  public void hello(String set, String name, boolean primary, String... hosts) {
    var list = new StringBuilder();
    for (String each : hosts) {
      list.append(list.isEmpty() ? "" : ", ").append("'").append(host(each)).append("'");
    }
    String hello =
        "{ok: 1, setName: '%s', setVersion: 1, isWritablePrimary: %s, secondary: %s, hosts: [%s], me: '%s'}"
            .formatted(set, primary, !primary, list, host(name));
    hellos.put(host(name), hello);
    watches
        .getOrDefault(host(name), Set.of())
        .forEach(watch -> watch.accept(RawDocument.parse(hello)));
  }

  @Override
  public CompletableFuture<RawDocument> call(HostAndPort host, NodeRequest request) {
    var call = new Call(host, request, new CompletableFuture<>());
    if (call.name().equals("ping")) {
      call.answer.complete(RawDocument.parse("{ok: 1}"));
      return call.answer;
    }
    calls.add(call);
    try {
      RawDocument reply = scripts.get(host).apply(call);
      if (reply != null) {
        call.answer.complete(reply);
      }
    } catch (CommandException e) {
      call.answer.completeExceptionally(e);
    }
    return call.answer;
  }

  @Override
  public CompletableFuture<Void> stream(
      HostAndPort host, NodeRequest request, Consumer<RawDocument> replies) {
    var future = new CompletableFuture<Void>();
    String hello = hellos.get(host);
    if (hello == null) {
      future.completeExceptionally(new CommandException(ErrorCode.HOST_UNREACHABLE, "down"));
    } else {
      watches.computeIfAbsent(host, key -> ConcurrentHashMap.newKeySet()).add(replies);
      replies.accept(RawDocument.parse(hello));
    }
    return future;
  }

  @Override
  public List<HostPoolStats> stats() {
    return List.of();
  }

  @Override
  public void dropConnections(Set<HostAndPort> hosts) {}

  @Override
  public void failCalls(HostAndPort host) {}

  @Override
  public void close() {}
}
