package dev.wisent.conformance.transaction;

import dev.wisent.conformance.transaction.ListOperation.Append;
import java.util.List;
import java.util.stream.Stream;

/** A transaction on lists, as its client saw it. */
record ListTransaction(String name, Outcome outcome, List<ListOperation> operations) {

  ListTransaction {
    operations = List.copyOf(operations);
  }

  Stream<Append> appends() {
    return operations.stream().filter(Append.class::isInstance).map(Append.class::cast);
  }

  @Override
  public String toString() {
    return name + " " + outcome + " " + operations;
  }
}
