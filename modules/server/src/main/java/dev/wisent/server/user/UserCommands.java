package dev.wisent.server.user;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.RandomSource;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.security.RoleName;
import dev.wisent.security.UserName;
import dev.wisent.security.role.RoleNames;
import dev.wisent.security.user.RestrictionDocument;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.ArgumentTypes;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;

/** The commands that change users. */
final class UserCommands {
  private static final Namespace USERS = UserStore.USERS;
  private static final String LOCAL = "local";

  private final UserStore store;
  private final UserChanges changes;
  private final UserCredentials credentials;
  private final RandomSource random;

  UserCommands(
      UserStore store, UserChanges changes, UserCredentials credentials, RandomSource random) {
    this.store = store;
    this.changes = changes;
    this.credentials = credentials;
    this.random = random;
  }

  void create(CommandRequest request, CommandContext context, BsonBuilder reply) {
    UserName name = name(request);
    UserOptions options = UserOptions.parse(request);
    List<RoleName> roles =
        options.roles().orElseThrow(() -> ArgumentTypes.missing("createUser.roles"));
    checkNew(name, options);
    OperationContext operation = context.operation();
    RawDocument secrets =
        options.password().isPresent() ? credentials.of(name, options) : UserCredentials.external();
    RawDocument user = document(name, secrets, options, roles);
    changes.run(
        operation,
        () -> {
          store.graph(operation).requireAll(roles);
          insert(operation, name, user);
        });
  }

  private static void checkNew(UserName name, UserOptions options) {
    boolean external = name.database().equals(UserName.EXTERNAL);
    if (name.database().equals(LOCAL)) {
      throw UserOptions.bad("Cannot create users in the local database");
    }
    if (name.user().indexOf('\0') >= 0) {
      throw UserOptions.bad("Username cannot contain NULL characters");
    }
    if (name.user().isEmpty()) {
      throw UserOptions.bad("User document needs 'user' field to be non-empty");
    }
    if (options.password().isEmpty() && !external) {
      throw UserOptions.bad(
          "Must provide a 'pwd' field for all user documents, except those with '$external' as the"
              + " user's source db");
    }
    checkPassword(name, options);
  }

  private static void checkPassword(UserName name, UserOptions options) {
    if (options.password().isPresent() && name.database().equals(UserName.EXTERNAL)) {
      throw UserOptions.bad(
          "Cannot set the password for users defined on the '$external' database");
    }
  }

  private RawDocument document(
      UserName name, RawDocument secrets, UserOptions options, List<RoleName> roles) {
    var out = new BsonBuilder();
    out.appendString("_id", name.id())
        .appendUuid("userId", random.nextUuid())
        .appendString("user", name.user())
        .appendString("db", name.database())
        .appendDocument("credentials", secrets);
    options
        .restrictions()
        .filter(restrictions -> !restrictions.isEmpty())
        .ifPresent(restrictions -> RestrictionDocument.writeAll(restrictions, out));
    options.customData().ifPresent(data -> out.appendDocument("customData", data));
    RoleNames.writeAll("roles", roles, out);
    return out.toDocument();
  }

  private void insert(OperationContext operation, UserName name, RawDocument user) {
    try {
      store.insert(operation, USERS, user);
    } catch (CommandException e) {
      if (e.code() == ErrorCode.DUPLICATE_KEY) {
        throw new CommandException(ErrorCode.USER_EXISTS, "User \"" + name + "\" already exists");
      }
      throw e;
    }
  }

  void update(CommandRequest request, CommandContext context, BsonBuilder reply) {
    UserName name = name(request);
    UserOptions options = UserOptions.parse(request);
    checkPassword(name, options);
    if (options.password().isEmpty()
        && options.mechanisms().isEmpty()
        && options.customData().isEmpty()
        && options.roles().isEmpty()
        && options.restrictions().isEmpty()) {
      throw UserOptions.bad("Must specify at least one field to update in updateUser");
    }
    OperationContext operation = context.operation();
    changes.run(
        operation,
        () -> {
          options.roles().ifPresent(store.graph(operation)::requireAll);
          RawDocument stored =
              store.user(operation, name).orElseThrow(() -> missing("User " + name + " not found"));
          store.replace(operation, USERS, changed(name, stored, options));
        });
  }

  private RawDocument changed(UserName name, RawDocument stored, UserOptions options) {
    var changed = new StoredFields(stored);
    if (options.password().isPresent()) {
      changed.set("credentials", RawValue.ofDocument(credentials.of(name, options)));
    } else if (options.mechanisms().isPresent()) {
      RawValue present = stored.get("credentials");
      if (present == null || !present.isDocument()) {
        throw new CommandException(
            ErrorCode.UNSUPPORTED_FORMAT,
            "Unable to trim credentials from a user document with no credentials");
      }
      RawDocument left = UserCredentials.trimmed(present.asDocument(), options.mechanisms().get());
      changed.set("credentials", RawValue.ofDocument(left));
    }
    options.customData().ifPresent(data -> changed.set("customData", RawValue.ofDocument(data)));
    options.restrictions().ifPresent(changed::setRestrictions);
    options.roles().ifPresent(changed::setRoles);
    return changed.document();
  }

  void drop(CommandRequest request, CommandContext context, BsonBuilder reply) {
    UserName name = name(request);
    refuseOptions(request);
    OperationContext operation = context.operation();
    changes.run(
        operation,
        () -> {
          if (store.delete(operation, USERS, UserStore.byId(name.id())) == 0) {
            throw missing("User '" + name + "' not found");
          }
        });
  }

  void dropAll(CommandRequest request, CommandContext context, BsonBuilder reply) {
    refuseOptions(request);
    OperationContext operation = context.operation();
    changes.run(
        operation,
        () -> {
          RawDocument all = UserStore.byDatabase(request.database());
          reply.appendInt32("n", (int) store.delete(operation, USERS, all));
        });
  }

  void grantRoles(CommandRequest request, CommandContext context, BsonBuilder reply) {
    changeRoles(request, context.operation(), (roles, given) -> roles.addAll(given));
  }

  void revokeRoles(CommandRequest request, CommandContext context, BsonBuilder reply) {
    changeRoles(request, context.operation(), (roles, given) -> roles.removeAll(given));
  }

  private void changeRoles(
      CommandRequest request,
      OperationContext operation,
      BiConsumer<Set<RoleName>, List<RoleName>> change) {
    UserName name = name(request);
    List<RoleName> given = rolesOf(request);
    changes.run(
        operation,
        () -> {
          RawDocument stored =
              store
                  .user(operation, name)
                  .orElseThrow(
                      () ->
                          missing(
                              "Could not find user \"%s\" for db \"%s\""
                                  .formatted(name.user(), name.database())));
          store.graph(operation).requireAll(given);
          var roles = new LinkedHashSet<RoleName>(UserDocument.roles(stored));
          change.accept(roles, given);
          var changed = new StoredFields(stored);
          changed.setRoles(roles);
          store.replace(operation, USERS, changed.document());
        });
  }

  /** The roles of a command that has no other argument. */
  static List<RoleName> rolesOf(CommandRequest request) {
    List<RoleName> roles = null;
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      switch (reader.name()) {
        case "roles" -> roles = UserOptions.roles(reader, request.database());
        default -> reader.unknown();
      }
    }
    if (roles == null) {
      throw ArgumentTypes.missing(request.nameInErrors() + ".roles");
    }
    if (roles.isEmpty()) {
      throw UserOptions.bad(request.name() + " command requires a non-empty \"roles\" array");
    }
    return roles;
  }

  static void refuseOptions(CommandRequest request) {
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      reader.unknown();
    }
  }

  private static UserName name(CommandRequest request) {
    String user = ArgumentTypes.string(request.pathOfArgument(), request.argument());
    return new UserName(user, request.database());
  }

  private static CommandException missing(String message) {
    return new CommandException(ErrorCode.USER_NOT_FOUND, message);
  }
}
