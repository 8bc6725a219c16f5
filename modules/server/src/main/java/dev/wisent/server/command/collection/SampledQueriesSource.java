package dev.wisent.server.command.collection;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.Namespace;
import dev.wisent.server.command.ArgumentReader;

/**
 * {@code $listSampledQueries}: the samples that {@code configureQueryAnalyzer} has had taken, of
 * one collection or of all. Those of a cluster are on its config servers, which routers ask.
 */
public final class SampledQueriesSource {
  static final String NAME = "$listSampledQueries";

  private static final Namespace SAMPLES = new Namespace("config", "sampledQueries");

  private final String missingOn;

  private SampledQueriesSource(String missingOn) {
    this.missingOn = missingOn;
  }

  /** Of a member of a set that keeps samples. */
  public static SampledQueriesSource ofSet() {
    return new SampledQueriesSource(null);
  }

  /**
   * Of a node that keeps none.
   *
   * @param kind what it is, for the error
   */
  public static SampledQueriesSource missingOn(String kind) {
    return new SampledQueriesSource(kind);
  }

  FindRequest find(Namespace namespace, RawDocument argument) {
    if (!namespace.database().equals("admin")) {
      throw new CommandException(
          ErrorCode.INVALID_NAMESPACE,
          NAME + " must be run against the 'admin' database with {aggregate: 1}");
    }
    if (missingOn != null) {
      throw new CommandException(
          ErrorCode.ILLEGAL_OPERATION, NAME + " is not supported on a " + missingOn);
    }
    RawDocument filter = RawDocument.EMPTY;
    ArgumentReader options = ArgumentReader.of(NAME, argument);
    while (options.next()) {
      switch (options.name()) {
        case "namespace" -> filter = of(options.string());
        default -> options.unknown();
      }
    }
    return FindRequest.of(SAMPLES, filter);
  }

  private static RawDocument of(String namespace) {
    Namespace parsed = Namespace.parse(namespace);
    Namespace checked = Namespace.checked(parsed.database(), parsed.collection());
    return new BsonBuilder().appendString("ns", checked.full()).toDocument();
  }
}
