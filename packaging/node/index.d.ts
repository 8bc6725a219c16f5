export interface Options {
  /** Members of a replica set. Without `members` and `shards` there is one server that is not replicated. */
  members?: number;
  /** Shards of a sharded cluster, each a replica set of one member. */
  shards?: number;
  /** Server parameters of every process. */
  parameters?: Record<string, string | number | boolean>;
  /** The directory with `wisent` or `bin/wisent`; otherwise the environment variable `WISENT_HOME`. */
  home?: string;
  /** How long the start may take; 120000 if it is not given. */
  timeoutMillis?: number;
}

export interface Wisent {
  /** A connection string for drivers. */
  readonly uri: string;
  /** Ends the processes and deletes their data. Does nothing the second time. */
  stop(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Resolves when clients can connect. */
export function start(options?: Options): Promise<Wisent>;
