package dev.wisent.pipeline.group;

import dev.wisent.bson.RawDocument;
import dev.wisent.pipeline.accumulator.AccumulatorStates;
import dev.wisent.pipeline.accumulator.KeyTable;
import dev.wisent.pipeline.accumulator.ValueStates;
import dev.wisent.query.expression.Expression;
import dev.wisent.query.expression.FieldPathExpression;
import dev.wisent.query.expression.Frame;
import dev.wisent.query.interrupt.WorkMeter;
import dev.wisent.query.path.FieldPath;

/**
 * Takes from a document what its group needs: the key, and a value for each accumulator. Those that
 * are {@link PlainFields} are not evaluated one by one. Belongs to one run.
 */
final class GroupInput {
  /** The key of a group that has partial states. */
  private static final Expression KEY = new FieldPathExpression(FieldPath.strict("_id"), false);

  private final PlainFields fields = new PlainFields();
  private final GroupKey key;
  private final Frame frame;

  /** For each accumulator the field that has its partial state; null where documents come in. */
  private final byte[][] partials;

  private RawDocument current;

  /** For each accumulator the field that is added, or {@link PlainFields#EVALUATED}. */
  private final int[] inputs;

  GroupInput(GroupStage stage, WorkMeter meter) {
    frame = new Frame(meter);
    boolean merging = stage.phase() == GroupStage.Phase.MERGE;
    key = new GroupKey(merging ? KEY : stage.id(), stage.collation(), fields);
    partials = merging ? stage.names() : null;
    inputs =
        stage.fields().stream()
            .mapToInt(
                field -> merging ? PlainFields.EVALUATED : fields.add(field.accumulator().input()))
            .toArray();
    fields.complete();
  }

  /** Goes on to a document and finds its group; -1 - its number where it is new. */
  int find(RawDocument document, KeyTable table) {
    frame.on(document);
    current = document;
    fields.read(document);
    key.read(frame);
    return key.find(table);
  }

  /** Adds what the document gives to its group. */
  void add(int group, AccumulatorStates[] states) {
    if (partials != null) {
      for (int i = 0; i < states.length; i++) {
        states[i].merge(group, current.get(partials[i]));
      }
      return;
    }
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
