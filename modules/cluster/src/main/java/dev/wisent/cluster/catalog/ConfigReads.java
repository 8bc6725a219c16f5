package dev.wisent.cluster.catalog;

import dev.wisent.base.CommandException;
import dev.wisent.base.RetryableErrors;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.operation.OperationContext;
import dev.wisent.wire.HostAndPort;
import dev.wisent.wire.client.CommandReplies;
import dev.wisent.wire.client.HostSelector;
import dev.wisent.wire.client.NodeClient;
import dev.wisent.wire.client.NodeRequest;
import dev.wisent.wire.client.RemoteErrorException;
import dev.wisent.wire.client.ReplicaSetMonitor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Reads documents of the config database from a config server. Thread-safe. */
final class ConfigReads {
  private static final String DATABASE = "config";
  private static final Duration HOST_WAIT_MAX = Duration.ofSeconds(15);
  private static final Duration CALL_MAX = Duration.ofSeconds(30);
  private static final int ATTEMPTS_MAX = 4;

  private final NodeClient client;
  private final ReplicaSetMonitor set;

  ConfigReads(NodeClient client, ReplicaSetMonitor set) {
    this.client = client;
    this.set = set;
  }

  /** Which config servers may answer. */
  enum Source {
    /** Any that is near. */
    ANY(HostSelector.Mode.NEAREST),
    /** The primary, where there is one: it has all that was committed. */
    NEWEST(HostSelector.Mode.PRIMARY_PREFERRED);

    private final HostSelector hosts;

    Source(HostSelector.Mode mode) {
      this.hosts = HostSelector.of(mode);
    }
  }

  /** All documents that a filter matches, majority committed, in an order. */
  List<RawDocument> find(
      OperationContext operation,
      Source source,
      String collection,
      RawDocument filter,
      RawDocument sort) {
    return find(operation, source, collection, () -> filter, sort, ArrayList::new, List::add);
  }

  /**
   * Hands on all documents that a filter matches, majority committed, in an order. No more than a
   * batch of them is kept.
   *
   * @param filter that of an attempt
   * @param target what takes the documents of an attempt
   * @return the target that has got all of them
   */
  <T> T find(
      OperationContext operation,
      Source source,
      String collection,
      Supplier<RawDocument> filter,
      RawDocument sort,
      Supplier<T> target,
      BiConsumer<? super T, RawDocument> add) {
    for (int attempt = 1; ; attempt++) {
      HostAndPort host = host(operation, source);
      try {
        T all = target.get();
        find(operation, host, collection, filter.get(), sort, found -> add.accept(all, found));
        return all;
      } catch (CommandException e) {
        operation.checkNow();
        if (RemoteErrorException.isAboutHost(e)) {
          set.failed(host, e.getMessage());
        }
        if (attempt == ATTEMPTS_MAX
            || !RetryableErrors.isRetryable(RemoteErrorException.numberOf(e))) {
          throw e;
        }
      }
    }
  }

  private HostAndPort host(OperationContext operation, Source source) {
    return await(operation, set.select(source.hosts, left(operation, HOST_WAIT_MAX)));
  }

  private void find(
      OperationContext operation,
      HostAndPort host,
      String collection,
      RawDocument filter,
      RawDocument sort,
      Consumer<RawDocument> documents) {
    var command = new BsonBuilder();
    command.appendString("find", collection);
    command.appendDocument("filter", filter);
    command.appendDocument("sort", sort);
    command.startDocument("readConcern").appendString("level", "majority").end();
    command.startDocument("$readPreference").appendString("mode", "nearest").end();
    RawDocument cursor = call(operation, host, command);
    add(cursor, "firstBatch", documents);
    long id = cursor.get("id").asInt64();
    while (id != 0) {
      var more = new BsonBuilder().appendInt64("getMore", id);
      more.appendString("collection", collection);
      cursor = call(operation, host, more);
      add(cursor, "nextBatch", documents);
      id = cursor.get("id").asInt64();
    }
  }

  private static void add(RawDocument cursor, String batch, Consumer<RawDocument> documents) {
    ElementCursor elements = cursor.get(batch).elements();
    while (elements.next()) {
      documents.accept(elements.value().asDocument());
    }
  }

  private RawDocument call(OperationContext operation, HostAndPort host, BsonBuilder command) {
    var request = NodeRequest.of(DATABASE, command.toDocument(), left(operation, CALL_MAX));
    RawDocument reply = await(operation, client.call(host, request));
    if (!CommandReplies.isOk(reply)) {
      throw RemoteErrorException.of(reply);
    }
    return reply.get("cursor").asDocument();
  }

  private static Duration left(OperationContext operation, Duration most) {
    return Duration.ofNanos(Math.clamp(operation.nanosLeft(), 0, most.toNanos()));
  }

  private static <T> T await(OperationContext operation, CompletableFuture<T> future) {
    try {
      operation.await(nanos -> isOver(future, nanos));
      return future.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof CommandException failure) {
        throw failure;
      }
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      throw operation.threadInterrupted();
    } finally {
      future.cancel(true);
    }
  }

  /** Whether a future has ended, in whatever way, after a wait. */
  static boolean isOver(CompletableFuture<?> future, long nanos) throws InterruptedException {
    try {
      future.get(nanos, TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      return false;
    } catch (ExecutionException e) {
      // Its reader gets the failure.
    }
    return true;
  }
}
