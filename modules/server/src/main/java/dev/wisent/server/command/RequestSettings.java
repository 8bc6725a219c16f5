package dev.wisent.server.command;

/** What holds for every request and can be changed while the server runs. Thread-safe. */
public final class RequestSettings {
  private volatile boolean noTableScan;
  private volatile boolean apiVersionRequired;

  public RequestSettings(boolean noTableScan) {
    this.noTableScan = noTableScan;
  }

  /** Whether queries that would scan a whole collection are refused. */
  public boolean noTableScan() {
    return noTableScan;
  }

  public void noTableScan(boolean refused) {
    noTableScan = refused;
  }

  /** Whether clients have to declare a version of the API. */
  public boolean apiVersionRequired() {
    return apiVersionRequired;
  }

  public void apiVersionRequired(boolean required) {
    apiVersionRequired = required;
  }
}
