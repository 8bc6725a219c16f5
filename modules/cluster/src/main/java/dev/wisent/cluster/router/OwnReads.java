package dev.wisent.cluster.router;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.security.UserName;
import dev.wisent.security.privilege.Grant;
import dev.wisent.security.privilege.ResourcePattern;
import dev.wisent.security.privilege.ResourcePattern.AnyResource;
import dev.wisent.security.privilege.ResourcePattern.Buckets;
import dev.wisent.security.privilege.ResourcePattern.Cluster;
import dev.wisent.security.privilege.ResourcePattern.Collections;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.privilege.Principal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Commands that show a user only what is its own. Shards answer a router, not the user: so the
 * command that they get says what may be shown.
 */
final class OwnReads {
  private static final Set<String> OF_SESSIONS = Set.of("$listSessions", "$listLocalSessions");

  private OwnReads() {}

  /** The same request where it shows the same to all. */
  static CommandRequest limited(CommandRequest request) {
    Principal principal = request.principal();
    if (!principal.isRestricted()) {
      return request;
    }
    return switch (request.name()) {
      case "listCollections" -> collections(request, principal);
      case "aggregate" -> sessions(request, principal);
      default -> request;
    };
  }

  private static CommandRequest collections(CommandRequest request, Principal principal) {
    RawValue authorized = request.body().get("authorizedCollections");
    if (authorized == null || !authorized.isTruthy()) {
      return request;
    }
    RawDocument known = known(principal.grants(), request.database());
    if (known == null) {
      return request;
    }
    RawValue filter = request.body().get("filter");
    var both = new BsonBuilder().startArray("$and").appendDocument(0, known);
    if (filter != null && filter.isDocument()) {
      both.append(1, filter);
    }
    both.end();
    return request.withBody(
        new BsonBuilder(request.body().length() + known.length() + 64)
            .appendAll(request.body().without(Set.of("filter")))
            .appendDocument("filter", both.toDocument())
            .toDocument());
  }

  /** A filter for collections on which something is allowed; null for all. */
  private static RawDocument known(List<Grant> grants, String database) {
    boolean ofServer = database.equals("local") || database.equals("config");
    var alternatives = new ArrayList<RawDocument>();
    for (Grant grant : grants) {
      if (grant.actions().isEmpty()) {
        continue;
      }
      ResourcePattern pattern = grant.resource();
      switch (pattern) {
        case AnyResource any -> {
          return null;
        }
        case Cluster cluster -> {}
        case Collections of -> {
          if (isIn(of.database(), database) && !of.collection().isEmpty()) {
            alternatives.add(named(of.collection()));
          } else if (of.database().equals(database) || (of.database().isEmpty() && !ofServer)) {
            alternatives.add(matching("^(?!system\\.)"));
          }
        }
        case Buckets of -> {
          if (isIn(of.database(), database)) {
            String prefix = "^system\\.buckets\\.";
            alternatives.add(
                matching(
                    of.collection().isEmpty()
                        ? prefix
                        : prefix + Pattern.quote(of.collection()) + "$"));
          }
        }
      }
    }
    return anyOf(alternatives);
  }

  private static boolean isIn(String pattern, String database) {
    return pattern.isEmpty() || pattern.equals(database);
  }

  private static RawDocument named(String collection) {
    return new BsonBuilder().appendString("name", collection).toDocument();
  }

  private static RawDocument matching(String pattern) {
    return new BsonBuilder()
        .startDocument("name")
        .appendString("$regex", pattern)
        .end()
        .toDocument();
  }

  private static RawDocument anyOf(List<RawDocument> alternatives) {
    if (alternatives.isEmpty()) {
      var none = new BsonBuilder().startDocument("name").startArray("$in").end().end();
      return none.toDocument();
    }
    var out = new BsonBuilder().startArray("$or");
    for (int i = 0; i < alternatives.size(); i++) {
      out.appendDocument(i, alternatives.get(i));
    }
    return out.end().toDocument();
  }

  /** A stage that lists sessions, with the user whose they are. */
  private static CommandRequest sessions(CommandRequest request, Principal principal) {
    Optional<UserName> user = principal.name();
    RawValue pipeline = request.body().get("pipeline");
    if (pipeline == null || !pipeline.isArray() || user.isEmpty()) {
      return request;
    }
    ElementCursor stages = pipeline.elements();
    if (!stages.next() || !stages.value().isDocument()) {
      return request;
    }
    ElementCursor first = stages.value().elements();
    if (!first.next() || !OF_SESSIONS.contains(first.name()) || !first.value().isDocument()) {
      return request;
    }
    RawDocument options = first.value().asDocument();
    RawValue all = options.get("allUsers");
    if ((all != null && all.isTruthy()) || options.get("users") != null) {
      return request;
    }
    var changed = new BsonBuilder(request.body().length() + 64);
    changed.append(request.name(), request.argument()).startArray("pipeline");
    changed.startDocument(0).startDocument(first.name()).startArray("users").startDocument(0);
    changed.appendString("user", user.get().user()).appendString("db", user.get().database());
    changed.end().end().end().end();
    for (int i = 1; stages.next(); i++) {
      changed.append(i, stages.value());
    }
    changed.end();
    return request.withBody(
        changed.appendAll(request.body().without(Set.of(request.name(), "pipeline"))).toDocument());
  }
}
