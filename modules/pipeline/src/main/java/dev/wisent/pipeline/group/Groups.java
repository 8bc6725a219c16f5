package dev.wisent.pipeline.group;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.pipeline.accumulator.AccumulatorStates;
import dev.wisent.pipeline.accumulator.KeyTable;
import dev.wisent.pipeline.sort.SortEntry;
import dev.wisent.pipeline.sort.SortedDocument;
import java.util.Iterator;
import java.util.List;

/** The groups that are in memory. Belongs to one run. */
final class Groups {
  private final KeyTable table = new KeyTable();
  private final AccumulatorStates[] states;

  Groups(List<GroupField> fields) {
    states = begin(fields);
  }

  /** New states for each of the fields. */
  static AccumulatorStates[] begin(List<GroupField> fields) {
    return fields.stream()
        .map(field -> field.accumulator().begin())
        .toArray(AccumulatorStates[]::new);
  }

  /** Adds a document to its group. */
  void add(RawDocument document, GroupInput input) {
    int group = input.find(document, table);
    if (group < 0) {
      group = -1 - group;
      start(states, group, table.value(group));
    }
    input.add(group, states);
  }

  /** Begins a group. Only an {@code _id} that is a document can be looked into. */
  static void start(AccumulatorStates[] states, int group, RawValue id) {
    RawDocument known = id.isDocument() ? id.asDocument() : RawDocument.EMPTY;
    for (AccumulatorStates each : states) {
      each.start(group, known);
    }
  }

  int size() {
    return table.size();
  }

  /** The {@code _id} of a group. */
  RawValue id(int group) {
    return table.value(group);
  }

  AccumulatorStates[] states() {
    return states;
  }

  /** The bytes of memory that are held. */
  long bytes() {
    long bytes = table.bytes();
    for (AccumulatorStates each : states) {
      bytes += each.bytes();
    }
    return bytes;
  }

  /** All groups in the order of their keys, each with its {@code _id} and its partial states. */
  Iterator<SortEntry> partials() {
    int[] order = table.inOrder();
    var out = new BsonBuilder();
    return new Iterator<>() {
      private int next;

      @Override
      public boolean hasNext() {
        return next < order.length;
      }

      @Override
      public SortEntry next() {
        int group = order[next++];
        out.reset(0);
        out.append(0, table.value(group));
        for (int i = 0; i < states.length; i++) {
          out.append(i + 1, states[i].partial(group));
        }
        out.end();
        var partial = new RawDocument(out.bytes(), 0, out.position());
        return new SortEntry(table.key(group), 0, new SortedDocument(partial, 0));
      }
    };
  }
}
