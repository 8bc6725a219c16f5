package dev.wisent.server.privilege;

import dev.wisent.security.privilege.Action;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Predicate;

/**
 * What a command was allowed for: the checks of its principal that passed. A cursor keeps them, so
 * that it can be asked for more only as long as they pass. Immutable.
 */
public final class PassedChecks {
  /** Of a command that was not checked. */
  public static final PassedChecks NONE = new PassedChecks(true, Set.of());

  private final boolean allowed;
  private final Set<Check> checks;

  private PassedChecks(boolean allowed, Set<Check> checks) {
    this.allowed = allowed;
    this.checks = checks;
  }

  /** What was asked about. */
  enum Kind {
    CLUSTER,
    ANY_NORMAL,
    ANY_BUCKETS,
    DATABASE,
    COLLECTION,
    KNOWN_DATABASE,
    KNOWN_COLLECTION
  }

  /** One of them; what its kind does not ask about is null. */
  record Check(Kind kind, String database, String collection, Action action) {
    private boolean passes(Principal principal) {
      return switch (kind) {
        case CLUSTER -> principal.onCluster(action);
        case ANY_NORMAL -> principal.onAnyNormal(action);
        case ANY_BUCKETS -> principal.onAnyBuckets(action);
        case DATABASE -> principal.onDatabase(database, action);
        case COLLECTION -> principal.onCollection(database, collection, action);
        case KNOWN_DATABASE -> principal.knows(database);
        case KNOWN_COLLECTION -> principal.knows(database, collection);
      };
    }
  }

  /**
   * Those that pass while a principal is asked.
   *
   * @param question asks what the principal may do, which allows a command
   */
  public static PassedChecks of(Principal principal, Predicate<Principal> question) {
    var passed = new LinkedHashSet<Check>();
    return new PassedChecks(question.test(principal.recording(passed::add)), passed);
  }

  /** Whether all of them pass for a principal. */
  public boolean passFor(Principal principal) {
    return allowed && checks.stream().allMatch(check -> check.passes(principal));
  }
}
