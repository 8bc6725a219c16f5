package dev.wisent.server.privilege;

import dev.wisent.security.privilege.Action;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What a client needs to run a command.
 *
 * @param actions needed always; on {@link Resource#ARGUMENTS} each is needed where the arguments
 *     ask for it
 * @param optional needed as well if the arguments ask for it, such as {@code insert} for an upsert
 * @param allowsOwn whether a client without this privilege may run the command for what is its own:
 *     its cursors, operations and sessions, or the databases and collections that it may see
 */
public record Privilege(
    Resource resource, Set<Action> actions, Set<Action> optional, boolean allowsOwn) {
  public static final Privilege NONE = of(Resource.NONE);
  public static final Privilege LOGIN = of(Resource.LOGIN);
  public static final Privilege INNER_COMMAND = of(Resource.INNER_COMMAND);

  public Privilege {
    if (resource.hasActions() == (actions.isEmpty() && optional.isEmpty())) {
      throw new IllegalArgumentException("a privilege on " + resource + " with " + actions);
    }
    actions = Set.copyOf(actions);
    optional = Set.copyOf(optional);
  }

  public static Privilege onCluster(Action... actions) {
    return of(Resource.CLUSTER, actions);
  }

  public static Privilege onDatabase(Action... actions) {
    return of(Resource.DATABASE, actions);
  }

  public static Privilege onCollection(Action... actions) {
    return of(Resource.COLLECTION, actions);
  }

  public static Privilege onAnyCollection(Action... actions) {
    return of(Resource.ANY_COLLECTION, actions);
  }

  public static Privilege onArguments(Action... actions) {
    return of(Resource.ARGUMENTS, actions);
  }

  private static Privilege of(Resource resource, Action... actions) {
    return new Privilege(resource, Set.of(actions), Set.of(), false);
  }

  public Privilege withOptional(Action... more) {
    return new Privilege(resource, actions, Set.of(more), allowsOwn);
  }

  public Privilege orOwn() {
    return new Privilege(resource, actions, optional, true);
  }

  /** Whether a client has to log in before it runs the command, where logins are required. */
  public boolean requiresLogin() {
    return resource != Resource.NONE;
  }

  @Override
  public String toString() {
    var text = new StringBuilder(resource.toString());
    if (!actions.isEmpty()) {
      text.append(": ").append(names(actions));
    }
    if (!optional.isEmpty()) {
      text.append(" (").append(names(optional)).append(" if asked)");
    }
    return text.append(allowsOwn ? ", or own" : "").toString();
  }

  private static String names(Collection<Action> actions) {
    return EnumSet.copyOf(actions).stream().map(Action::toString).collect(Collectors.joining(", "));
  }
}
