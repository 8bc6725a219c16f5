package dev.wisent.cluster.call;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.wisent.base.Clock;
import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.RandomSource;
import dev.wisent.base.log.LogComponent;
import dev.wisent.base.log.ServerLog;
import dev.wisent.base.loop.BackgroundLoops;
import dev.wisent.bson.RawDocument;
import dev.wisent.operation.OperationContext;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.wire.client.HostSelector;
import dev.wisent.wire.client.RemoteErrorException;
import dev.wisent.wire.client.UnsentCallException;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class NodeShardCallsTest {
  private static final Clock CLOCK = Clock.system();
  private static final RawDocument OK = RawDocument.parse("{ok: 1}");

  private final ScriptedNodes nodes = new ScriptedNodes();
  private final FixedCatalog catalog = new FixedCatalog();
  private final ShardSets sets =
      new ShardSets(
          nodes,
          null,
          catalog,
          CLOCK,
          new BackgroundLoops(
              CLOCK, new ServerLog(line -> {}, CLOCK).of(LogComponent.CONTROL), error -> {}));
  private final ShardCalls calls = new NodeShardCalls(nodes, sets, RandomSource.system());

  @AfterEach
  void close() {
    sets.close();
  }

  private static OperationContext operation() {
    return OperationContext.internal(CLOCK);
  }

  private static OperationContext operation(String request) {
    OperationContext operation = operation();
    CommandRequest client = CommandRequest.of(RawDocument.parse(request), List.of(), false);
    client.readGenericArguments();
    operation.limitMillis(client.maxTimeMillis());
    RoutedOperation.attach(operation, client);
    return operation;
  }

  private static ShardRequest read(String command) {
    return ShardRequest.read("a", "db", RawDocument.parse(command));
  }

  @Test
  void carriesWhatBelongsToAReadAndKeepsTheTimeOfItsReply() {
    catalog.shard("a", "a1");
    nodes.member(
        "a",
        "a1",
        true,
        call -> RawDocument.parse("{ok: 1, operationTime: {$timestamp: {t: 7, i: 2}}}"));
    OperationContext operation =
        operation(
            "{find: 'c', $db: 'db', lsid: {id: {$uuid: '00000000-0000-0000-0000-000000000001'}},"
                + " maxTimeMS: 60000, comment: 'x', readConcern: {level: 'majority'},"
                + " writeConcern: {w: 1}, $readPreference: {mode: 'nearest'}}");
    calls.call(operation, read("{find: 'c', shardVersion: {}}"));
    RawDocument sent = nodes.calls.getFirst().body();
    assertEquals("db", nodes.calls.getFirst().request().database());
    assertTrue(sent.get("maxTimeMS").toLong() <= 60000);
    assertEquals("x", sent.get("comment").asString());
    assertEquals("majority", sent.get("readConcern").asDocument().get("level").asString());
    assertEquals("nearest", sent.get("$readPreference").asDocument().get("mode").asString());
    assertTrue(sent.get("lsid").isDocument());
    assertNull(sent.get("writeConcern"));
    assertEquals(7L << 32 | 2, operation.lastWriteTime());
  }

  @Test
  void anErrorKeepsAllItsFields() {
    catalog.shard("a", "a1");
    nodes.member(
        "a",
        "a1",
        true,
        call ->
            RawDocument.parse(
                "{ok: 0, code: 987654, codeName: 'Location987654', errmsg: 'no', more: 1}"));
    CommandException error =
        assertThrows(CommandException.class, () -> calls.call(operation(), read("{find: 'c'}")));
    RemoteErrorException remote = assertInstanceOf(RemoteErrorException.class, error);
    assertEquals(987654, remote.number());
    assertEquals("Location987654", remote.codeName());
    assertEquals(1, remote.reply().get("more").asInt32());
  }

  @Test
  void aReadFollowsAnElection() {
    catalog.shard("a", "a1", "a2");
    nodes.member(
        "a",
        "a1",
        true,
        call -> {
          nodes.hello("a", "a1", false, "a1", "a2");
          nodes.hello("a", "a2", true, "a1", "a2");
          return RawDocument.parse("{ok: 0, code: 10107, errmsg: 'not primary'}");
        });
    nodes.member("a", "a2", false, call -> RawDocument.parse("{ok: 1, from: 2}"));
    nodes.hello("a", "a1", true, "a1", "a2");
    nodes.hello("a", "a2", false, "a1", "a2");
    RawDocument reply = calls.call(operation(), read("{find: 'c'}"));
    assertEquals(2, reply.get("from").asInt32());
  }

  @Test
  void aControlCommandGoesToTheNextPrimaryUnlessItMayHaveBegun() {
    catalog.shard("a", "a1");
    var attempts = new AtomicInteger();
    var refusal = new AtomicInteger(10107);
    nodes.member(
        "a",
        "a1",
        true,
        call ->
            attempts.incrementAndGet() == 1
                ? RawDocument.parse("{ok: 0, code: " + refusal.get() + ", errmsg: 'not primary'}")
                : OK);
    ShardRequest change = ShardRequest.control("a", "admin", RawDocument.parse("{split: 'c'}"));
    calls.call(operation(), change);
    assertEquals(2, attempts.get());
    attempts.set(0);
    refusal.set(ErrorCode.INTERRUPTED_DUE_TO_REPL_STATE_CHANGE.code());
    assertThrows(CommandException.class, () -> calls.call(operation(), change));
    assertEquals(1, attempts.get());
  }

  @Test
  void whatWasNotSentIsSentAgain() {
    catalog.shard("a", "a1");
    var attempts = new AtomicInteger();
    nodes.member(
        "a",
        "a1",
        true,
        call -> {
          if (attempts.incrementAndGet() == 1) {
            nodes.hello("a", "a1", true, "a1");
            throw new UnsentCallException("broken pipe");
          }
          return OK;
        });
    calls.call(
        operation(), ShardRequest.write("a", "db", RawDocument.parse("{insert: 'c'}"), List.of()));
    assertEquals(2, attempts.get());
  }

  @Test
  void aWriteIsRepeatedOnlyIfItIsNumbered() {
    catalog.shard("a", "a1");
    var attempts = new AtomicInteger();
    nodes.member(
        "a",
        "a1",
        true,
        call -> {
          if (attempts.incrementAndGet() == 1) {
            throw new CommandException(ErrorCode.HOST_UNREACHABLE, "reset");
          }
          return OK;
        });
    var write =
        ShardRequest.write("a", "db", RawDocument.parse("{delete: 'c', deletes: []}"), List.of());
    assertEquals(
        ErrorCode.HOST_UNREACHABLE,
        assertThrows(CommandException.class, () -> calls.call(operation(), write)).code());
    attempts.set(0);
    calls.call(
        operation(
            "{delete: 'c', $db: 'db', lsid: {id: {$uuid: '00000000-0000-0000-0000-000000000001'}},"
                + " txnNumber: {$numberLong: '1'}}"),
        ShardRequest.write(
            "a",
            "db",
            RawDocument.parse("{delete: 'c', deletes: [], txnNumber: {$numberLong: '1'}}"),
            List.of()));
    assertEquals(2, attempts.get());
  }

  @Test
  void theEndOfAnOperationEndsItsCalls() {
    catalog.shard("a", "a1").shard("b", "b1");
    OperationContext operation = operation();
    var arrived = new AtomicInteger();
    Function<ScriptedNodes.Call, RawDocument> silent =
        call -> {
          if (arrived.incrementAndGet() == 2) {
            operation.kill(ErrorCode.INTERRUPTED);
          }
          return null;
        };
    nodes.member("a", "a1", true, silent).member("b", "b1", true, silent);
    var requests =
        List.of(
            read("{find: 'c'}"), ShardRequest.read("b", "db", RawDocument.parse("{find: 'c'}")));
    assertEquals(
        ErrorCode.INTERRUPTED,
        assertThrows(CommandException.class, () -> calls.callAll(operation, requests)).code());
    for (ScriptedNodes.Call call : nodes.calls) {
      assertThrows(CancellationException.class, () -> call.answer().get(1, TimeUnit.MINUTES));
    }
  }

  @Test
  void theLimitOfAnOperationIsAlsoThatOfItsWaitForAPrimary() {
    catalog.shard("a", "a1");
    nodes.member("a", "a1", false, call -> OK);
    OperationContext operation = operation("{ping: 1, $db: 'db', maxTimeMS: 1}");
    assertEquals(
        ErrorCode.MAX_TIME_MS_EXPIRED,
        assertThrows(
                CommandException.class,
                () -> calls.call(operation, read("{find: 'c'}").from(HostSelector.primary())))
            .code());
  }

  @Test
  void aCursorGivesItsBatchesAndIsKilledBeforeItsEnd() {
    catalog.shard("a", "a1");
    nodes.member(
        "a",
        "a1",
        true,
        call ->
            switch (call.name()) {
              case "find" ->
                  RawDocument.parse(
                      "{ok: 1, cursor: {id: {$numberLong: '5'}, ns: 'db.c', firstBatch: [{a:"
                          + " 1}]}}");
              case "getMore" ->
                  RawDocument.parse(
                      "{ok: 1, cursor: {id: {$numberLong: '5'}, ns: 'db.c', nextBatch: [{a: 2}]}}");
              default -> OK;
            });
    OperationContext operation = operation();
    ShardReply opened = calls.start(operation, read("{find: 'c'}")).await(operation);
    var cursor = new RemoteCursor(calls, opened, operation, RemoteCursor.Tailing.NONE, 0);
    assertEquals(1, cursor.peek().get("a").asInt32());
    cursor.take();
    cursor.detach();
    cursor.attach(operation());
    assertEquals(2, cursor.peek().get("a").asInt32());
    cursor.close();
    assertEquals(
        List.of("find", "getMore", "killCursors"),
        nodes.calls.stream().map(ScriptedNodes.Call::name).toList());
    assertEquals(5, nodes.calls.getLast().body().get("cursors").asDocument().get("0").asInt64());
  }
}
