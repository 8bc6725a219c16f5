package dev.wisent.replication.concern;

import java.util.Map;

/** Who has to have a write before it is acknowledged: the {@code w} of a write concern. */
public sealed interface WriteMode {
  /** The primary alone, which is what {@code w: 1} means. */
  WriteMode PRIMARY = new Members(1);

  WriteMode MAJORITY = new Majority();

  /** A number of members that bear data; with 0 the client waits for no answer. */
  record Members(int count) implements WriteMode {}

  /** Most of those who vote. */
  record Majority() implements WriteMode {}

  /** Tags that the configuration has a name for. */
  record Named(String name) implements WriteMode {}

  /** For each tag, how many different values of it the members with the write have. */
  record Tags(Map<String, Integer> counts) implements WriteMode {
    public Tags {
      counts = Map.copyOf(counts);
    }
  }

  /** Whether others than the primary have to be asked. */
  default boolean concernsOthers() {
    return !(this instanceof Members members && members.count() <= 1);
  }
}
