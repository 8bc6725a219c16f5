package dev.wisent.conformance.crash;

/** What a write does to one document; null stands for a document that is not there. */
record Change(String id, Item before, Item after) {

  static Change insert(Item item) {
    return new Change(item.id(), null, item);
  }

  static Change update(Item before, Item after) {
    return new Change(before.id(), before, after);
  }

  static Change delete(Item item) {
    return new Change(item.id(), item, null);
  }
}
