package dev.wisent.replication.raft;

import dev.wisent.simulation.machine.Hooks;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;

/**
 * A replicated log without its members: what is in it is agreed upon, and outlives the process
 * whose store it is applied to. Logs are found by their directory, as on a disk.
 */
final class SimulatedLog {
  private static final Map<Path, SimulatedLog> LOGS = new HashMap<>();

  /** An entry; its index is its place in the list. */
  record Entry(long term, ByteString bytes) {}

  private final List<Entry> entries = new ArrayList<>();
  private UUID group;
  private Peer self;
  private long term;

  /** The term of the last leader that has everything of earlier terms. */
  private long begun;

  private SimulatedLog() {}

  static SimulatedLog at(Path directory) {
    return LOGS.computeIfAbsent(directory, path -> new SimulatedLog());
  }

  static void forgetAll() {
    LOGS.clear();
  }

  /** A copy for another directory. */
  static void copy(Path from, Path to) {
    SimulatedLog log = at(from);
    var copy = new SimulatedLog();
    copy.entries.addAll(log.entries);
    copy.group = log.group;
    copy.self = log.self;
    copy.term = log.term;
    copy.begun = log.begun;
    LOGS.put(to, copy);
  }

  UUID group() {
    return group;
  }

  Peer self() {
    return self;
  }

  void enter(UUID newGroup, Peer newSelf) {
    group = newGroup;
    self = newSelf;
    entries.clear();
    // The first entry is what the store had before.
    entries.add(new Entry(0, ByteString.EMPTY));
  }

  long nextTerm() {
    return ++term;
  }

  long term() {
    return term;
  }

  /** A leader begins: all entries of earlier terms are applied, or lost. */
  void begins(long newTerm) {
    begun = newTerm;
  }

  /** Returns its index. */
  long append(Entry entry) {
    if (entry.term() < begun) {
      var why = new IllegalStateException("an entry of term " + entry.term() + " in term " + begun);
      Hooks.host().machine().fail(why);
      throw why;
    }
    entries.add(entry);
    return entries.size() - 1L;
  }

  long lastIndex() {
    return entries.size() - 1L;
  }

  Entry get(long index) {
    return entries.get((int) index);
  }
}
