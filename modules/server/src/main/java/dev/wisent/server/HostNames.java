package dev.wisent.server;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** The name of this machine. */
public final class HostNames {
  private HostNames() {}

  public static String local() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "localhost";
    }
  }
}
