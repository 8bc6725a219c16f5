package dev.wisent.server.user;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.security.RoleName;
import dev.wisent.security.role.RoleNames;
import dev.wisent.security.user.AuthenticationRestriction;
import dev.wisent.security.user.RestrictionDocument;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.ArgumentTypes;
import dev.wisent.server.command.CommandRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What {@code createUser} and {@code updateUser} say of a user; absent is what they do not say.
 *
 * @param digestPassword whether the password is as the user gave it
 */
record UserOptions(
    Optional<String> password,
    boolean digestPassword,
    Optional<List<String>> mechanisms,
    Optional<RawDocument> customData,
    Optional<List<RoleName>> roles,
    Optional<List<AuthenticationRestriction>> restrictions) {

  static UserOptions parse(CommandRequest request) {
    String password = null;
    boolean digest = true;
    List<String> mechanisms = null;
    RawDocument customData = null;
    List<RoleName> roles = null;
    List<AuthenticationRestriction> restrictions = null;
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      switch (reader.name()) {
        case "pwd" -> password = reader.string();
        case "digestPassword" -> digest = reader.bool();
        case "mechanisms" -> mechanisms = strings(reader);
        case "customData" -> customData = reader.document();
        case "roles" -> roles = roles(reader, request.database());
        case RestrictionDocument.FIELD -> restrictions = restrictions(reader);
        default -> reader.unknown();
      }
    }
    if (mechanisms != null && mechanisms.isEmpty()) {
      throw bad("mechanisms field must not be empty");
    }
    return new UserOptions(
        Optional.ofNullable(password),
        digest,
        Optional.ofNullable(mechanisms),
        Optional.ofNullable(customData),
        Optional.ofNullable(roles),
        Optional.ofNullable(restrictions));
  }

  static List<RoleName> roles(ArgumentReader reader, String database) {
    return RoleNames.parseAll(RawValue.ofArray(reader.array()), database);
  }

  static List<AuthenticationRestriction> restrictions(ArgumentReader reader) {
    return RestrictionDocument.parseAll(reader.path(), reader.array());
  }

  private static List<String> strings(ArgumentReader reader) {
    var strings = new ArrayList<String>();
    for (ElementCursor each = reader.array().elements(); each.next(); ) {
      strings.add(ArgumentTypes.string(reader.path() + "." + each.name(), each.value()));
    }
    return strings;
  }

  static CommandException bad(String message) {
    return new CommandException(ErrorCode.BAD_VALUE, message);
  }

  /** Without the password. */
  @Override
  public String toString() {
    return "options of a user";
  }
}
