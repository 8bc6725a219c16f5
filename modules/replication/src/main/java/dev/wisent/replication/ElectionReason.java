package dev.wisent.replication;

/** Why a member has stood for election, with MongoDB's words. */
public enum ElectionReason {
  ELECTION_TIMEOUT("electionTimeout"),
  PRIORITY_TAKEOVER("priorityTakeover"),
  STEP_UP("stepUpRequest"),
  /** The primary before it has handed on leadership. */
  HANDED_ON("stepUpRequestSkipDryRun"),
  ALONE("singleNodePromptElection");

  private final String text;

  ElectionReason(String text) {
    this.text = text;
  }

  public String text() {
    return text;
  }
}
