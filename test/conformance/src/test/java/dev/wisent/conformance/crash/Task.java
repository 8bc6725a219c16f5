package dev.wisent.conformance.crash;

/** One kind of load of a writer: does one write after the other, keeping its model up to date. */
interface Task {

  /**
   * One write and its acknowledgement. A network error leaves the model with that write under way.
   */
  void step(Namespaces namespaces);
}
