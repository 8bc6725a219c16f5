package dev.wisent.testkit.network;

import java.util.List;

/**
 * A machine, as far as a member can tell.
 *
 * @param address the IP address that all others reach it at
 * @param launcher words before a command that make it run there; none for this machine itself
 */
public record MemberHost(String address, List<String> launcher) {

  /** This machine. */
  public static final MemberHost LOOPBACK = new MemberHost("127.0.0.1", List.of());

  public MemberHost {
    launcher = List.copyOf(launcher);
  }
}
