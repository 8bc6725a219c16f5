package dev.wisent.base;

/** The bounds that clients are told about or run into, in one place. */
public final class Limits {
  /** Largest document a user may store. */
  public static final int DOCUMENT_BYTES_MAX = 16 * 1024 * 1024;

  /** Room above {@link #DOCUMENT_BYTES_MAX} for the envelope of commands and replies. */
  public static final int DOCUMENT_BYTES_MAX_INTERNAL = DOCUMENT_BYTES_MAX + 16 * 1024;

  /**
   * What a stage such as {@code $lookup} or {@code $group} may gather in one document, if a later
   * one makes less of it. Such a document is copied several times, so on a small heap it is less.
   */
  public static final int GATHERED_BYTES_MAX =
      (int)
          Math.min(
              100 * 1024 * 1024,
              Math.max(DOCUMENT_BYTES_MAX_INTERNAL, Runtime.getRuntime().maxMemory() / 10));

  public static final int MESSAGE_BYTES_MAX = 48_000_000;

  /**
   * Messages and replies up to this size are covered by what each connection may take; larger ones
   * are counted one by one.
   */
  public static final int MESSAGE_BYTES_UNCOUNTED_MAX = 64 * 1024;

  /** The bounds of what messages and replies in flight may take together, and what they may. */
  public static final long MESSAGE_MEMORY_BYTES_MIN = 1024 * 1024;

  public static final long MESSAGE_MEMORY_BYTES_MAX = Runtime.getRuntime().maxMemory() / 2;
  public static final long MESSAGE_MEMORY_BYTES_DEFAULT =
      Math.max(MESSAGE_MEMORY_BYTES_MIN, Runtime.getRuntime().maxMemory() / 4);

  /** What a filter or pipeline takes once it is parsed, about, compared with its bytes. */
  public static final int PARSED_BYTES_PER_BYTE = 10;

  /** How long an operation waits for the memory of its reply before it fails. */
  public static final int MESSAGE_MEMORY_WAIT_MILLIS_MAX = 30_000;

  /** While others wait for memory, a client with a large message has to be at least so fast. */
  public static final int LARGE_MESSAGE_BYTES_PER_SECOND_MIN = 256 * 1024;

  /** How long a client with a large message may be slower than that, and the bounds of it. */
  public static final int SLOW_CLIENT_MILLIS_DEFAULT = 5_000;

  public static final int SLOW_CLIENT_MILLIS_MIN = 500;
  public static final int SLOW_CLIENT_MILLIS_MAX = 3_600_000;

  /** Connections beyond {@code maxConns} that may only look after the node. */
  public static final int RESERVED_CONNECTIONS = 8;

  /** Clients that shake hands for TLS at a time; the oldest gives way to a new one. */
  public static final int TLS_HANDSHAKES_MAX = 1_000;

  public static final int TLS_HANDSHAKE_MILLIS_MAX = 30_000;

  /** Threads that serve connections; those beyond are refused. */
  public static final int WORKERS_MAX = 20_000;

  /** What an idle connection takes of the heap, about; a quarter of it is for them. */
  public static final int IDLE_CONNECTION_BYTES = 8 * 1024;

  /** The longest message of a client that has not logged in, where it has to. */
  public static final int UNAUTHENTICATED_MESSAGE_BYTES_MAX = 16 * 1024;

  /** How long a client that has to log in may take for its first message. */
  public static final int FIRST_MESSAGE_SECONDS_MAX = 60;

  /**
   * How long a client that has not logged in may be silent. Monitors of drivers never log in; they
   * send a hello every ten seconds, or as often as their application says.
   */
  public static final int UNAUTHENTICATED_SILENCE_SECONDS_MAX = 600;

  public static final int WRITE_BATCH_MAX = 100_000;

  /** Documents of a cluster's metadata that a coordinator changes at a time. */
  public static final int METADATA_PAGE_DOCUMENTS = 2_000;

  /** And their bytes, beyond which a page ends sooner: bounds of chunks can be large. */
  public static final int METADATA_PAGE_BYTES = 4 * 1024 * 1024;

  /**
   * The ranges of zones that a collection may have where all of them change with it: that is one
   * transaction.
   */
  public static final int ZONES_BYTES_MAX = 8 * 1024 * 1024;

  /** What a coordinator may store of its plan, beside the arguments that it was given. */
  public static final int PLAN_BYTES_MAX = 12 * 1024 * 1024;

  /** Nesting that a stored document may have; parsers allow a little more for envelopes. */
  public static final int NESTING_DEPTH_MAX = 180;

  public static final int NESTING_DEPTH_MAX_INTERNAL = 200;

  public static final int DATABASE_NAME_BYTES_MAX = 63;
  public static final int NAMESPACE_BYTES_MAX = 255;
  public static final int INDEXES_PER_COLLECTION_MAX = 64;
  public static final int INDEX_FIELDS_MAX = 32;

  /** Documents in a first batch when the client names no size. */
  public static final int FIRST_BATCH_DEFAULT = 101;

  public static final int CURSOR_TIMEOUT_MILLIS = 600_000;

  /** Cursors that clients may have open together; by the heap, since each keeps some kilobytes. */
  public static final int CURSORS_MAX =
      (int) Math.min(1_000_000, Math.max(1_000, Runtime.getRuntime().maxMemory() / (16 * 1024)));

  public static final int SESSION_TIMEOUT_MINUTES = 30;
  public static final int SESSIONS_MAX = 1_000_000;

  /** A blocking sort that needs more than this fails or spills. */
  public static final long SORT_BYTES_MAX = 100L * 1024 * 1024;

  /** What a {@code $densify} may generate. */
  public static final int DENSIFY_DOCUMENTS_MAX = 500_000;

  /** As many query shapes as a collection remembers plans for. */
  public static final int PLAN_CACHE_ENTRIES_MAX = 1000;

  /** MongoDB's internalQueryPlanEvaluationWorks. */
  public static final int PLAN_RACE_WORKS_MIN = 10_000;

  /** MongoDB's internalQueryPlanEvaluationCollFraction. */
  public static final double PLAN_RACE_WORKS_PER_DOCUMENT = 0.3;

  /** MongoDB's internalQueryPlanEvaluationMaxResults. */
  public static final int PLAN_RACE_ROWS_ENOUGH = 101;

  /** Index builds that run at a time; each may use memory to sort. */
  public static final int INDEX_BUILDS_MAX = 3;

  /** What an index build holds in memory to sort keys; the rest goes to files. */
  public static final int INDEX_BUILD_SORT_BYTES_MAX = 64 * 1024 * 1024;

  /** Pipelines inside pipelines, such as those of {@code $lookup}. */
  public static final int SUB_PIPELINE_DEPTH_MAX = 20;

  /** How far a cluster time that a client brings may be ahead of this node's clock: a year. */
  public static final long CLUSTER_TIME_DRIFT_SECONDS_MAX = 365L * 24 * 60 * 60;

  private Limits() {}
}
