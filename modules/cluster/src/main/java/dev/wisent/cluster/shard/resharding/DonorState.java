package dev.wisent.cluster.shard.resharding;

/** How far a donor is, in MongoDB's words. */
enum DonorState {
  COPYING("donating-initial-data"),
  CATCHING_UP("donating-oplog-entries"),
  BLOCKING("blocking-writes");

  private final String text;

  DonorState(String text) {
    this.text = text;
  }

  String text() {
    return text;
  }
}
