package dev.wisent.database.ownership;

import dev.wisent.base.CommandException;
import dev.wisent.bson.RawDocument;
import dev.wisent.operation.Namespace;
import dev.wisent.sharding.ShardKeyPattern;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How much was written to sharded collections, and where: of every so many bytes one shard key is
 * kept. What is rolled back counts as well. Thread-safe.
 */
public final class WriteSamples {
  /** How many bytes a sample stands for, unless there are too many. */
  static final long STEP_BYTES = 16 << 10;

  static final int SAMPLES_MAX = 1024;

  private final Map<Namespace, Written> collections = new ConcurrentHashMap<>();

  /**
   * Bytes that were written near a key.
   *
   * @param key encoded
   */
  public record Sample(byte[] key, long bytes) {}

  /** What was written to a collection; made at the first use. */
  public Written of(Namespace namespace) {
    return collections.computeIfAbsent(namespace, name -> new Written());
  }

  /**
   * Takes the samples since the last time, of collections that have any.
   *
   * @param known the collections that are sharded; all others are forgotten
   */
  public Map<Namespace, List<Sample>> take(Set<Namespace> known) {
    collections.keySet().retainAll(known);
    var taken = new HashMap<Namespace, List<Sample>>();
    collections.forEach(
        (namespace, written) -> {
          List<Sample> samples = written.take();
          if (!samples.isEmpty()) {
            taken.put(namespace, samples);
          }
        });
    return taken;
  }

  /** What was written to one collection. */
  public static final class Written {
    private final AtomicLong bytes = new AtomicLong();
    private List<Sample> samples = new ArrayList<>(); // guarded by this

    /** Counts a document as it is stored. */
    public void add(ShardKeyPattern key, RawDocument document) {
      long before = bytes.getAndAdd(document.length());
      long steps = (before + document.length()) / STEP_BYTES - before / STEP_BYTES;
      if (steps > 0) {
        sample(key, document, steps * STEP_BYTES);
      }
    }

    private void sample(ShardKeyPattern key, RawDocument document, long weight) {
      byte[] encoded;
      try {
        encoded = key.encodedKeyOf(document);
      } catch (CommandException e) {
        // A direct connection may write documents that are in no chunk.
        return;
      }
      synchronized (this) {
        if (samples.size() == SAMPLES_MAX) {
          halve();
        }
        samples.add(new Sample(encoded, weight));
      }
    }

    /** Every other sample stands for its neighbour as well. */
    private void halve() {
      var kept = new ArrayList<Sample>(SAMPLES_MAX);
      for (int i = 0; i + 1 < samples.size(); i += 2) {
        Sample one = samples.get(i);
        kept.add(new Sample(one.key(), one.bytes() + samples.get(i + 1).bytes()));
      }
      samples = kept;
    }

    private synchronized List<Sample> take() {
      List<Sample> taken = samples;
      samples = new ArrayList<>();
      return taken;
    }
  }
}
