package dev.wisent.server.command.diagnostic;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.SessionId;
import dev.wisent.security.UserName;
import dev.wisent.security.privilege.Action;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.ArgumentTypes;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.command.SessionArguments;
import dev.wisent.server.privilege.Principal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;

/** The sessions that a command names: of its user, unless that one may end those of others. */
public final class NamedSessions {
  private static final String BY_PATTERN = "killAllSessionsByPattern";

  /**
   * An entry of {@code killAllSessionsByPattern}.
   *
   * @param id null for any
   * @param user the digest of the session's user; null for any
   * @param fitsNone whether it is by something that no session has
   */
  private record Pattern(SessionId id, byte[] user, boolean fitsNone) {
    boolean fits(SessionId session) {
      return !fitsNone
          && (id == null || id.equals(session))
          && (user == null || session.isOf(user));
    }

    boolean isOf(Principal principal) {
      return id == null
          ? user != null && Arrays.equals(user, principal.sessionDigest())
          : id.isOf(principal.sessionDigest());
    }

    RawDocument document() {
      var out = new BsonBuilder();
      if (id != null) {
        out.appendDocument("lsid", id.document());
      }
      if (user != null) {
        out.appendBinary("uid", (byte) 0, user);
      }
      return out.toDocument();
    }
  }

  private NamedSessions() {}

  /** Those of an array of ids. */
  static List<SessionId> ids(CommandRequest request) {
    boolean ofOthers =
        request.name().equals("killSessions")
            && request.principal().onCluster(Action.KILL_ANY_SESSION);
    var ids = new ArrayList<SessionId>();
    String path = request.name() + "." + request.name();
    for (RawDocument document : documents(request)) {
      SessionId id = SessionArguments.checkedId(path, RawValue.ofDocument(document));
      boolean given = ofOthers && id.hasUser();
      ids.add(given ? id : SessionArguments.owned(id, request.principal()));
    }
    return ids;
  }

  /** Those of an array of ids; with an empty one all of the user. */
  static Predicate<SessionId> idsOrAll(CommandRequest request) {
    List<SessionId> ids = ids(request);
    Principal principal = request.principal();
    if (!ids.isEmpty()) {
      return ids::contains;
    }
    return principal.isRestricted() ? id -> id.isOf(principal.sessionDigest()) : id -> true;
  }

  /** Those of some users; with none of all. */
  static Predicate<SessionId> ofUsers(CommandRequest request) {
    var digests = new ArrayList<byte[]>();
    for (RawDocument user : documents(request)) {
      digests.add(digestOf(request.name(), user));
    }
    return digests.isEmpty() ? id -> true : id -> digests.stream().anyMatch(id::isOf);
  }

  /** The digest of a user in an argument: a document with its name and database. */
  public static byte[] digestOf(String path, RawDocument user) {
    String name = null;
    String database = null;
    ArgumentReader fields = ArgumentReader.of(path, user);
    while (fields.next()) {
      switch (fields.name()) {
        case "user" -> name = fields.string();
        case "db" -> database = fields.string();
        default -> fields.unknown();
      }
    }
    if (name == null || database == null) {
      throw ArgumentTypes.missing(path + (name == null ? ".user" : ".db"));
    }
    return Principal.digest(new UserName(name, database));
  }

  /** Those that patterns fit; with none all. Own ones need no privilege. */
  static Predicate<SessionId> fitting(CommandRequest request) {
    List<Pattern> patterns = patterns(request);
    return patterns.isEmpty()
        ? id -> true
        : id -> patterns.stream().anyMatch(pattern -> pattern.fits(id));
  }

  private static List<Pattern> patterns(CommandRequest request) {
    Principal principal = request.principal();
    boolean ofOthers = principal.onCluster(Action.KILL_ANY_SESSION);
    var patterns = new ArrayList<Pattern>();
    for (RawDocument document : documents(request)) {
      patterns.add(pattern(request, document, ofOthers));
    }
    boolean own =
        !patterns.isEmpty() && patterns.stream().allMatch(pattern -> pattern.isOf(principal));
    if (!ofOthers && !own) {
      throw new CommandException(
          ErrorCode.UNAUTHORIZED, "not authorized to kill the sessions of other users");
    }
    return patterns;
  }

  private static Pattern pattern(CommandRequest request, RawDocument document, boolean ofOthers) {
    SessionId id = null;
    byte[] user = null;
    boolean fitsNone = false;
    ArgumentReader fields = ArgumentReader.of(request.name(), document);
    while (fields.next()) {
      switch (fields.name()) {
        case "lsid" -> {
          SessionId given = SessionArguments.checkedId(fields.path(), fields.value());
          id =
              ofOthers && given.hasUser()
                  ? given
                  : SessionArguments.owned(given, request.principal());
        }
        case "uid" -> {
          if (fields.value().type() != ElementType.BINARY) {
            throw ArgumentTypes.wrongType(fields.path(), fields.value().type(), "binData");
          }
          user = fields.value().asBinary();
        }
        // Those are about who kills, and not about sessions.
        case "users", "roles" -> fitsNone = true;
        default -> fields.unknown();
      }
    }
    return new Pattern(id, user, fitsNone && id == null && user == null);
  }

  /** The command as another node runs it, which does not know the user. */
  public static RawDocument forShards(CommandRequest request) {
    var out = new BsonBuilder();
    Principal principal = request.principal();
    if (!principal.isRestricted() || request.name().equals("killAllSessions")) {
      return out.append(request.name(), request.argument()).toDocument();
    }
    if (request.name().equals(BY_PATTERN)) {
      return command(BY_PATTERN, patterns(request).stream().map(Pattern::document).toList());
    }
    List<SessionId> ids = ids(request);
    return ids.isEmpty() && request.name().equals("killSessions")
        ? command(
            BY_PATTERN, List.of(new Pattern(null, principal.sessionDigest(), false).document()))
        : command(request.name(), ids.stream().map(SessionId::document).toList());
  }

  private static RawDocument command(String name, List<RawDocument> documents) {
    var out = new BsonBuilder().startArray(name);
    int position = 0;
    for (RawDocument each : documents) {
      out.appendDocument(position++, each);
    }
    return out.end().toDocument();
  }

  private static List<RawDocument> documents(CommandRequest request) {
    var documents = new ArrayList<RawDocument>();
    String path = request.name() + "." + request.name();
    ElementCursor elements = ArgumentTypes.array(path, request.argument()).elements();
    while (elements.next()) {
      documents.add(ArgumentTypes.document(path, elements.value()));
    }
    return documents;
  }
}
