package dev.wisent.security.user;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** {@code authenticationRestrictions} of commands and of what is stored. */
public final class RestrictionDocument {
  public static final String FIELD = "authenticationRestrictions";

  private static final String CLIENT_SOURCE = "clientSource";
  private static final String SERVER_ADDRESS = "serverAddress";
  private static final Pattern IPV4 = Pattern.compile("\\d{1,3}(\\.\\d{1,3}){3}");
  private static final Pattern IPV6 = Pattern.compile("[0-9a-fA-F:]*:[0-9a-fA-F:.]*");
  private static final int IPV4_BITS = 32;
  private static final int IPV6_BITS = 128;
  private static final int PREFIX_DIGITS_MAX = 3;

  private RestrictionDocument() {}

  /**
   * Reads those of a command.
   *
   * @param path names the array in errors
   */
  public static List<AuthenticationRestriction> parseAll(String path, RawDocument array) {
    var restrictions = new ArrayList<AuthenticationRestriction>();
    for (ElementCursor each = array.elements(); each.next(); ) {
      if (!each.value().isDocument()) {
        throw wrongType(path + "." + each.name(), each.type(), "object");
      }
      restrictions.add(parse(path, each.value().asDocument()));
    }
    return restrictions;
  }

  /** Reads those that are stored; null for none. */
  public static List<AuthenticationRestriction> ofStored(RawValue array) {
    return array == null || !array.isArray()
        ? List.of()
        : parseAll("address restriction", array.asDocument());
  }

  private static AuthenticationRestriction parse(String path, RawDocument document) {
    List<String> clients = List.of();
    List<String> servers = List.of();
    for (ElementCursor each = document.elements(); each.next(); ) {
      String field = path + "." + each.name();
      switch (each.name()) {
        case CLIENT_SOURCE -> clients = ranges(field, each.value());
        case SERVER_ADDRESS -> servers = ranges(field, each.value());
        default ->
            throw new CommandException(
                ErrorCode.IDL_UNKNOWN_FIELD, "BSON field '" + field + "' is an unknown field.");
      }
    }
    if (clients.isEmpty() && servers.isEmpty()) {
      throw new CommandException(
          ErrorCode.COLLECTION_IS_EMPTY,
          "At least one of 'clientSource' and/or 'serverAddress' must be set");
    }
    return new AuthenticationRestriction(clients, servers);
  }

  private static List<String> ranges(String path, RawValue value) {
    if (!value.isArray()) {
      throw wrongType(path, value.type(), "array");
    }
    var ranges = new ArrayList<String>();
    for (ElementCursor each = value.elements(); each.next(); ) {
      if (!each.value().isString()) {
        throw wrongType(path + "." + each.name(), each.type(), "string");
      }
      String range = each.value().asString();
      if (!isRange(range)) {
        throw new CommandException(
            ErrorCode.BAD_VALUE, "Invalid IP address in CIDR string: " + range);
      }
      ranges.add(range);
    }
    return ranges;
  }

  /** Whether it is an address or a range in CIDR notation, and no name to look up. */
  private static boolean isRange(String text) {
    int slash = text.indexOf('/');
    String address = slash < 0 ? text : text.substring(0, slash);
    String prefix = slash < 0 ? "0" : text.substring(slash + 1);
    boolean four = isIpv4(address);
    if (!four && !IPV6.matcher(address).matches()) {
      return false;
    }
    return !prefix.isEmpty()
        && prefix.length() <= PREFIX_DIGITS_MAX
        && prefix.chars().allMatch(c -> c >= '0' && c <= '9')
        && Integer.parseInt(prefix) <= (four ? IPV4_BITS : IPV6_BITS);
  }

  private static boolean isIpv4(String address) {
    if (!IPV4.matcher(address).matches()) {
      return false;
    }
    for (String part : address.split("\\.", -1)) {
      if (Integer.parseInt(part) > 255) {
        return false;
      }
    }
    return true;
  }

  private static CommandException wrongType(String path, byte actual, String expected) {
    return new CommandException(
        ErrorCode.TYPE_MISMATCH,
        "BSON field '%s' is the wrong type '%s', expected type '%s'"
            .formatted(path, ElementType.alias(actual), expected));
  }

  /** Writes them as the field of a stored user or role. */
  public static void writeAll(List<AuthenticationRestriction> restrictions, BsonBuilder out) {
    out.startArray(FIELD);
    writeElements(restrictions, out);
    out.end();
  }

  /** Writes the elements of an array that is open. */
  public static void writeElements(List<AuthenticationRestriction> restrictions, BsonBuilder out) {
    for (int at = 0; at < restrictions.size(); at++) {
      out.startDocument(at);
      write(CLIENT_SOURCE, restrictions.get(at).clientSources(), out);
      write(SERVER_ADDRESS, restrictions.get(at).serverAddresses(), out);
      out.end();
    }
  }

  private static void write(String field, List<String> ranges, BsonBuilder out) {
    if (ranges.isEmpty()) {
      return;
    }
    out.startArray(field);
    for (int at = 0; at < ranges.size(); at++) {
      out.append(at, RawValue.ofString(ranges.get(at)));
    }
    out.end();
  }
}
