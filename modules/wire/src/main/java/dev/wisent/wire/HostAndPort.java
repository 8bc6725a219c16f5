package dev.wisent.wire;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import java.net.InetAddress;
import java.util.Locale;

/** A {@code host:port}; IPv6 addresses are in brackets. */
public record HostAndPort(String host, int port) {
  private static final int DEFAULT_PORT = 27017;
  private static final int PORT_MAX = 65_535;

  /** Reads {@code host} or {@code host:port}; blanks around it do not count. */
  public static HostAndPort parse(String text) {
    String trimmed = text.strip();
    int bracket = trimmed.lastIndexOf(']');
    int colon = trimmed.lastIndexOf(':');
    if (colon <= bracket) {
      return new HostAndPort(checkedHost(trimmed, text), DEFAULT_PORT);
    }
    return new HostAndPort(
        checkedHost(trimmed.substring(0, colon), text),
        checkedPort(trimmed.substring(colon + 1), text));
  }

  /** A host as connection strings have it: an IPv6 address in brackets. */
  public static String bracketed(String host) {
    return host.contains(":") ? "[" + host + "]" : host;
  }

  private static String checkedHost(String host, String text) {
    if (host.isEmpty()) {
      throw new CommandException(
          ErrorCode.FAILED_TO_PARSE,
          "Empty host component parsing HostAndPort from \"" + text + '"');
    }
    boolean bracketed = host.startsWith("[") && host.endsWith("]");
    boolean plain = host.chars().noneMatch(c -> c <= ' ' || ":/[]@,".indexOf(c) >= 0);
    if (!bracketed && !plain) {
      throw new CommandException(
          ErrorCode.FAILED_TO_PARSE, "Bad host component parsing HostAndPort from \"" + text + '"');
    }
    return host;
  }

  private static int checkedPort(String port, String text) {
    try {
      int number = Integer.parseInt(port);
      if (number > 0 && number <= PORT_MAX) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Said below, as for a number that is none of a port.
    }
    throw new CommandException(
        ErrorCode.FAILED_TO_PARSE,
        "Port number \"" + port + "\" out of range parsing HostAndPort from \"" + text + '"');
  }

  /** The host as sockets take it. */
  public String plainHost() {
    return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
  }

  /** Whether only programs on the same machine can mean this one by it. */
  public boolean isLocalHost() {
    String plain = plainHost().toLowerCase(Locale.ROOT);
    return plain.equals("localhost") || plain.startsWith("127.") || isLoopbackLiteral(plain);
  }

  private static boolean isLoopbackLiteral(String plain) {
    return plain.contains(":") && InetAddress.ofLiteral(plain).isLoopbackAddress();
  }

  @Override
  public String toString() {
    return host + ":" + port;
  }
}
