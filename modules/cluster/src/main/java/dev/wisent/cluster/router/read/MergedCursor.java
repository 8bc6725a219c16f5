package dev.wisent.cluster.router.read;

import dev.wisent.base.CommandException;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.call.RemoteCursor;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.ResultCursor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.PriorityQueue;

/**
 * The results of several shards as one. Without an order they come as the shards send them; with
 * one each shard has sorted its own. An error of one shard ends all, unless partial results are
 * enough and the shard cannot be reached.
 */
final class MergedCursor implements ResultCursor {
  private final List<RemoteCursor> inputs;

  /** Null for none. */
  private final MergeOrder order;

  private final PriorityQueue<Head> heads = new PriorityQueue<>();
  private final boolean partialAllowed;
  private long skip;

  /** How many documents may still be given; Long.MAX_VALUE for all. */
  private long left;

  private boolean partial;

  /** Whether more than the first batches is wanted, as far as is known. */
  private boolean readsAhead;

  private boolean opened;
  private boolean closed;

  /** Whether the first of the heads was given, and its input has to go on. */
  private boolean moved;

  /** The input of the document that was shown last. */
  private int current = -1;

  /** The document that is next; null where it must be looked for. */
  private RawDocument ahead;

  /** The first document of an input that was not given yet; of equal ones the first shard's. */
  private record Head(byte[] key, int input) implements Comparable<Head> {
    @Override
    public int compareTo(Head other) {
      int compared = Arrays.compareUnsigned(key, other.key);
      return compared == 0 ? Integer.compare(input, other.input) : compared;
    }
  }

  /**
   * @param order null for none
   * @param limit 0 for none
   * @param partialAllowed whether shards that cannot be reached may be left out
   * @param partial whether one is left out already
   */
  MergedCursor(
      List<RemoteCursor> inputs,
      MergeOrder order,
      long skip,
      long limit,
      boolean partialAllowed,
      boolean partial) {
    this.inputs = new ArrayList<>(inputs);
    this.order = order;
    this.skip = skip;
    this.left = limit == 0 ? Long.MAX_VALUE : limit;
    this.partialAllowed = partialAllowed;
    this.partial = partial;
  }

  /** Has the next batch of a shard asked for as soon as one is used up. */
  MergedCursor readingAhead() {
    readsAhead = true;
    return this;
  }

  @Override
  public void attach(OperationContext operation) {
    readsAhead = true;
    inputs.forEach(input -> attach(input, operation));
  }

  private static void attach(RemoteCursor input, OperationContext operation) {
    if (input != null) {
      input.attach(operation);
    }
  }

  @Override
  public void detach() {
    if (ahead != null) {
      ahead = ahead.detached();
    }
    for (RemoteCursor input : inputs) {
      if (input != null) {
        input.detach();
      }
    }
  }

  @Override
  public RawDocument peek() {
    if (ahead != null || left == 0) {
      return ahead;
    }
    RawDocument next = next();
    while (next != null && skip > 0) {
      skip--;
      step();
      next = next();
    }
    ahead = next == null || order == null ? next : MergeOrder.shown(next);
    if (next == null) {
      left = 0;
    }
    return ahead;
  }

  private RawDocument next() {
    return order == null ? nextAsTheyCome() : nextInOrder();
  }

  private RawDocument nextAsTheyCome() {
    while (!inputs.isEmpty()) {
      int ready = firstReady();
      current = ready;
      RawDocument document = peek(ready);
      if (document != null) {
        return document;
      }
      RemoteCursor ended = inputs.remove(ready);
      if (ended != null) {
        ended.close();
      }
    }
    return null;
  }

  /** One that has documents, beginning with the one that gave the last; else that one. */
  private int firstReady() {
    int from = Math.clamp(current, 0, inputs.size() - 1);
    for (int i = 0; i < inputs.size(); i++) {
      int at = (from + i) % inputs.size();
      if (inputs.get(at) == null || inputs.get(at).isReady()) {
        return at;
      }
    }
    return from;
  }

  private RawDocument nextInOrder() {
    if (!opened) {
      opened = true;
      for (int i = 0; i < inputs.size(); i++) {
        offer(i);
      }
    }
    if (moved) {
      moved = false;
      heads.poll();
      offer(current);
    }
    Head first = heads.peek();
    if (first == null) {
      return null;
    }
    current = first.input;
    return peek(current);
  }

  private void offer(int input) {
    RawDocument document = peek(input);
    if (document != null) {
      heads.add(new Head(order.key(document), input));
    }
  }

  /** The next document of an input; null at its end, or where it is left out from now on. */
  private RawDocument peek(int at) {
    RemoteCursor input = inputs.get(at);
    if (input == null) {
      return null;
    }
    try {
      return input.peek();
    } catch (CommandException e) {
      if (!partialAllowed || !UnreachableShard.isCauseOf(e)) {
        throw e;
      }
      partial = true;
      inputs.set(at, null);
      input.close();
      return null;
    }
  }

  @Override
  public void take() {
    ahead = null;
    if (left != Long.MAX_VALUE) {
      left--;
    }
    step();
  }

  /** Goes behind the document that is next, without waiting for the one after it. */
  private void step() {
    RemoteCursor input = inputs.get(current);
    input.take();
    moved = true;
    if (readsAhead && left > 0) {
      input.fetchAhead();
    }
  }

  @Override
  public boolean isExhausted() {
    return ahead == null && left == 0;
  }

  @Override
  public boolean isPartial() {
    return partial;
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    for (RemoteCursor input : inputs) {
      if (input != null) {
        input.close();
      }
    }
  }
}
