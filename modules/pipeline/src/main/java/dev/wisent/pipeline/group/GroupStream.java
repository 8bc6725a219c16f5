package dev.wisent.pipeline.group;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.pipeline.DocumentStream;
import dev.wisent.pipeline.GatheringStream;
import dev.wisent.pipeline.accumulator.AccumulatorStates;
import dev.wisent.pipeline.sort.HeldMemory;
import dev.wisent.pipeline.sort.SortEntry;
import dev.wisent.pipeline.sort.SortRuns;
import dev.wisent.pipeline.sort.SortSpace;
import dev.wisent.query.expression.Values;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Iterator;

/**
 * The groups of a stream of documents. They are gathered in memory; whenever there are too many,
 * they all go to a file in the order of their keys, and in the end what the files know of a key is
 * put together. Groups come out in the order in which they were first seen, or, after files, of
 * their keys.
 */
final class GroupStream implements GatheringStream {
  /** How much is read before the memory is looked at again: a small part of it. */
  private static final int CHECKS = 1 << 10;

  /** What a document may take beside its bytes. */
  private static final long DOCUMENT_OVERHEAD_BYTES = 64;

  /** The name of the element that has the {@code _id} among partial states. */
  private static final byte[] FIRST = {'0'};

  private static final byte[] ID = "_id".getBytes(StandardCharsets.UTF_8);

  private final GroupStage stage;
  private final DocumentStream input;
  private final SortSpace space;
  private final HeldMemory memory;
  private final SortRuns runs;
  private final byte[][] names;
  private final BsonBuilder out = new BsonBuilder();

  private final GroupInput reader;

  private Groups groups;

  /** How much was read since the memory was looked at. */
  private long unchecked;

  private boolean gathered;

  /** The most memory that each accumulator had. */
  private final long[] usedBytes;

  private long spilledBytes;
  private long resultBytes;
  private int next;

  /** What files have; null where there are none. */
  private Iterator<SortEntry> merged;

  private SortEntry ahead;
  private AccumulatorStates[] merging;

  GroupStream(GroupStage stage, DocumentStream input, SortSpace space) {
    this.stage = stage;
    this.input = input;
    this.space = space;
    this.memory = space.memory();
    this.runs = new SortRuns(space);
    this.reader = new GroupInput(stage, space.meter());
    this.groups = new Groups(stage.fields());
    this.names = stage.names();
    this.usedBytes = new long[names.length];
  }

  @Override
  public RawDocument next() {
    if (!gathered) {
      gathered = true;
      gather();
      finish();
    }
    if (merged != null) {
      return nextMerged();
    }
    if (next == groups.size()) {
      next = 0;
      clear();
      return null;
    }
    return result(groups.id(next), groups.states(), next++);
  }

  @Override
  public void gather() {
    long checkBytes = memory.bytesMax() / CHECKS;
    RawDocument document;
    while ((document = input.next()) != null) {
      groups.add(document, reader);
      unchecked += document.length() + DOCUMENT_OVERHEAD_BYTES;
      if (unchecked > checkBytes) {
        unchecked = 0;
        if (!memory.allows(groups.bytes())) {
          spill();
        }
      }
    }
  }

  private void finish() {
    if (!runs.isEmpty()) {
      spill();
      merged = runs.merged();
      merging = Groups.begin(stage.fields());
    } else {
      measure();
    }
  }

  private void spill() {
    if (!space.hasFiles()) {
      throw new CommandException(
          ErrorCode.QUERY_EXCEEDED_MEMORY_LIMIT_NO_DISK_USE_ALLOWED,
          "Exceeded memory limit for $group, but didn't allow external sort. Pass"
              + " allowDiskUse:true to opt in.");
    }
    if (groups.size() > 0) {
      measure();
      spilledBytes += groups.bytes();
      runs.add(groups.partials());
      clear();
    }
  }

  private void clear() {
    groups = new Groups(stage.fields());
    memory.shrink(0);
  }

  /** Puts together what the files have of the next key, in the order in which it was written. */
  private RawDocument nextMerged() {
    SortEntry first = ahead == null && merged.hasNext() ? merged.next() : ahead;
    ahead = null;
    if (first == null) {
      runs.delete();
      return null;
    }
    SortEntry entry = first;
    while (entry != null && Arrays.equals(entry.key(), first.key())) {
      merge(entry.document().document(), entry == first);
      entry = merged.hasNext() ? merged.next() : null;
    }
    ahead = entry;
    return result(first.document().document().get(FIRST), merging, 0);
  }

  private void merge(RawDocument partial, boolean first) {
    space.meter().add(partial.length());
    ElementCursor parts = partial.elements();
    parts.next();
    if (first) {
      Groups.start(merging, 0, parts.value());
    }
    for (AccumulatorStates states : merging) {
      parts.next();
      states.merge(0, parts.value());
    }
  }

  private RawDocument result(RawValue id, AccumulatorStates[] states, int group) {
    out.reset(0);
    out.append(ID, id);
    boolean partial = stage.phase() == GroupStage.Phase.SHARD;
    for (int i = 0; i < states.length; i++) {
      RawValue value = partial ? states[i].partial(group) : states[i].result(group);
      out.append(names[i], Values.nullIfMissing(value));
    }
    out.end();
    resultBytes += out.position();
    return new RawDocument(out.bytes(), 0, out.position());
  }

  private void measure() {
    AccumulatorStates[] states = groups.states();
    for (int i = 0; i < states.length; i++) {
      usedBytes[i] = Math.max(usedBytes[i], states[i].bytes());
    }
  }

  @Override
  public void appendUse(BsonBuilder explained) {
    explained.startDocument("maxAccumulatorMemoryUsageBytes");
    for (int i = 0; i < names.length; i++) {
      explained.append(names[i], RawValue.ofInt64(usedBytes[i]));
    }
    explained.end();
    explained.appendInt64("totalOutputDataSizeBytes", resultBytes);
    explained.appendBoolean("usedDisk", runs.written() > 0);
    explained.appendInt64("spills", runs.written());
    explained.appendInt64("spilledDataStorageSize", runs.bytes());
    explained.appendInt64("numBytesSpilledEstimate", spilledBytes);
    explained.appendInt64("spilledRecords", runs.entries());
  }
}
