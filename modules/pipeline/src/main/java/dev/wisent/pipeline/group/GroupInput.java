package dev.wisent.pipeline.group;

import dev.wisent.bson.RawDocument;
import dev.wisent.pipeline.accumulator.AccumulatorStates;
import dev.wisent.pipeline.accumulator.KeyTable;
import dev.wisent.pipeline.accumulator.ValueStates;
import dev.wisent.query.expression.Frame;
import dev.wisent.query.interrupt.WorkMeter;

/**
 * Takes from a document what its group needs: the key, and a value for each accumulator. Those that
 * are {@link PlainFields} are not evaluated one by one. Belongs to one run.
 */
final class GroupInput {
  private final PlainFields fields = new PlainFields();
  private final GroupKey key;
  private final Frame frame;

  /** For each accumulator the field that is added, or {@link PlainFields#EVALUATED}. */
  private final int[] inputs;

  GroupInput(GroupStage stage, WorkMeter meter) {
    frame = new Frame(meter);
    key = new GroupKey(stage.id(), stage.collation(), fields);
    inputs =
        stage.fields().stream()
            .mapToInt(field -> fields.add(field.accumulator().input()))
            .toArray();
    fields.complete();
  }

  /** Goes on to a document and finds its group; -1 - its number where it is new. */
  int find(RawDocument document, KeyTable table) {
    frame.on(document);
    fields.read(document);
    key.read(frame);
    return key.find(table);
  }

  /** Adds what the document gives to its group. */
  void add(int group, AccumulatorStates[] states) {
    for (int i = 0; i < states.length; i++) {
      int field = inputs[i];
      if (field == PlainFields.EVALUATED) {
        states[i].add(group, frame);
      } else {
        ((ValueStates) states[i])
            .add(
                group,
                fields.type(field),
                fields.bytes(field),
                fields.offset(field),
                fields.length(field));
      }
    }
  }
}
