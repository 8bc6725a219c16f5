package dev.wisent.query.aggregate.group;

import dev.wisent.bson.FieldSlots;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.aggregate.accumulator.AccumulatorStates;
import dev.wisent.query.aggregate.accumulator.KeyTable;
import dev.wisent.query.aggregate.accumulator.ValueStates;
import dev.wisent.query.expression.Expression;
import dev.wisent.query.expression.FieldPathExpression;
import dev.wisent.query.expression.Frame;
import dev.wisent.query.expression.ValuePath;
import dev.wisent.query.path.FieldPath;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Takes from a document what its group needs: the key, and a value for each accumulator. Those that
 * are plain fields are found together, in one walk over the document's bytes and without objects;
 * the others are evaluated. Belongs to one run.
 */
final class GroupInput {
  private static final int EVALUATED = -1;

  private final GroupKey key;
  private final Frame frame = new Frame();
  private final FieldSlots slots;
  private final int keySlot;

  /** For each accumulator the slot of its field, or {@link #EVALUATED}. */
  private final int[] inputSlots;

  /** The paths of the key and the inputs, where they go on behind the field; else null. */
  private final FieldPath keyPath;

  private final FieldPath[] inputPaths;

  GroupInput(GroupStage stage) {
    key = new GroupKey(stage.id(), stage.collation());
    List<byte[]> names = new ArrayList<>();
    keySlot = slot(stage.id(), names);
    keyPath = longPath(stage.id());
    inputSlots = new int[stage.fields().size()];
    inputPaths = new FieldPath[inputSlots.length];
    for (int i = 0; i < inputSlots.length; i++) {
      Expression input = stage.fields().get(i).accumulator().input();
      inputSlots[i] = slot(input, names);
      inputPaths[i] = longPath(input);
    }
    slots = names.isEmpty() ? null : new FieldSlots(names.toArray(byte[][]::new));
  }

  private static int slot(Expression expression, List<byte[]> names) {
    if (!(expression instanceof FieldPathExpression field)) {
      return EVALUATED;
    }
    byte[] name = field.path().part(0);
    for (int i = 0; i < names.size(); i++) {
      if (Arrays.equals(names.get(i), name)) {
        return i;
      }
    }
    names.add(name);
    return names.size() - 1;
  }

  private static FieldPath longPath(Expression expression) {
    return expression instanceof FieldPathExpression field && field.path().length() > 1
        ? field.path()
        : null;
  }

  /** Goes on to a document and finds its group; -1 - its number where it is new. */
  int find(RawDocument document, KeyTable table) {
    frame.on(document);
    if (slots != null) {
      slots.read(document);
    }
    if (keySlot == EVALUATED) {
      key.evaluate(frame);
    } else if (keyPath != null) {
      setKey(ValuePath.follow(keyPath, 1, slots.value(keySlot)));
    } else if (slots.type(keySlot) == FieldSlots.MISSING) {
      key.setMissing();
    } else {
      key.set(slots.type(keySlot), slots.bytes(), slots.offset(keySlot), slots.length(keySlot));
    }
    return key.find(table);
  }

  private void setKey(RawValue value) {
    if (value == null) {
      key.setMissing();
    } else {
      key.set(value.type(), value.bytes(), value.offset(), value.length());
    }
  }

  /** Adds what the document gives to its group. */
  void add(int group, AccumulatorStates[] states) {
    for (int i = 0; i < states.length; i++) {
      int slot = inputSlots[i];
      if (slot == EVALUATED) {
        states[i].add(group, frame);
      } else if (inputPaths[i] == null) {
        ((ValueStates) states[i])
            .add(group, slots.type(slot), slots.bytes(), slots.offset(slot), slots.length(slot));
      } else {
        ((ValueStates) states[i]).add(group, ValuePath.follow(inputPaths[i], 1, slots.value(slot)));
      }
    }
  }
}
