package dev.wisent.simulation.workload;

import java.util.List;

/** A kind of traffic that some seeds have beside that of all seeds, with promises of its own. */
interface Load {
  /** Sets up what it needs, before anything goes wrong. */
  void prepare(Session session);

  /** What its clients do, each in a thread of its own. */
  List<Runnable> clients();

  /** The collections whose ranges move. */
  default List<String> moved() {
    return List.of("d.c");
  }

  /** After everything is healed: whether all promises were kept. */
  void check(Session session);
}
