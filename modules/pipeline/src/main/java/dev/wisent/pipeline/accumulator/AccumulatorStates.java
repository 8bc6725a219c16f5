package dev.wisent.pipeline.accumulator;

import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.expression.Frame;

/**
 * What an accumulator has gathered, for many groups: each group is a number, and what it needs
 * stands at that number in arrays, so that millions of groups are not millions of objects. Who has
 * just one group calls it 0. Belongs to one thread.
 */
public abstract class AccumulatorStates {
  /**
   * Begins a group, with nothing added. Groups begin in the order of their numbers, without gaps; a
   * group that exists begins anew.
   *
   * @param id the group's {@code _id} if that is a document, else an empty one: what expressions
   *     that are computed once for a group see
   */
  public abstract void start(int group, RawDocument id);

  /** Adds what the document in the frame gives. Nothing of the frame is kept. */
  public abstract void add(int group, Frame frame);

  /**
   * What has come out so far, valid until more is added, which can be done afterwards; null where
   * it is missing.
   */
  public abstract RawValue result(int group);

  /** The bytes of memory that are held, roughly. */
  public abstract long bytes();

  /** All that is known of a group, so that it can go to a file and be merged later. */
  public abstract RawValue partial(int group);

  /**
   * Adds to a group what another one of the same accumulator was, all of whose documents come after
   * those of this one.
   */
  public abstract void merge(int group, RawValue partial);
}
