package dev.wisent.server.privilege;

/** What the actions of a privilege are done to. */
public enum Resource {
  /** Nothing: any connection runs the command, also before a login. */
  NONE("none"),
  /** Nothing, but the client is logged in. */
  LOGIN("login"),
  CLUSTER("cluster"),
  /** The database of the request. */
  DATABASE("database"),
  /** The collection that the command's first argument names. */
  COLLECTION("collection"),
  /** Every collection that is not a system collection. */
  ANY_COLLECTION("any collection"),
  /**
   * The namespaces that arguments name: stages of a pipeline, operations of a bulk write, source
   * and target of a rename. The arguments decide which actions are needed on which of them.
   */
  ARGUMENTS("arguments"),
  /** What the command needs that this command has as its argument. */
  INNER_COMMAND("as the inner command");

  private final String text;

  Resource(String text) {
    this.text = text;
  }

  /** Whether a privilege on this resource names actions. */
  boolean hasActions() {
    return switch (this) {
      case NONE, LOGIN, INNER_COMMAND -> false;
      case CLUSTER, DATABASE, COLLECTION, ANY_COLLECTION, ARGUMENTS -> true;
    };
  }

  @Override
  public String toString() {
    return text;
  }
}
