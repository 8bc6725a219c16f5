package dev.wisent.query.update;

import dev.wisent.bson.RawValue;

/** {@code $setOnInsert}: {@code $set} for upserts that insert. */
record SetOnInsertUpdate(SetUpdate set) implements FieldOperator {
  static SetOnInsertUpdate parse(RawValue argument) {
    return new SetOnInsertUpdate(SetUpdate.parse(argument));
  }

  @Override
  public RawValue modify(RawValue current, Target target) {
    return set.modify(current, target);
  }

  @Override
  public RawValue create() {
    return set.create();
  }

  @Override
  public int addedDepth() {
    return set.addedDepth();
  }

  @Override
  public boolean insertOnly() {
    return true;
  }
}
