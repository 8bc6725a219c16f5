package dev.wisent.testkit.network;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Linux network namespaces, connected by a bridge that the test is on as well. Needs root and the
 * {@code ip} command.
 *
 * <p>A cut gives each side a wrong hardware address for the other: packets leave and do not arrive,
 * as with a broken cable, and no connection is closed. What is sent again after {@link #heal()}
 * arrives late, which is part of what a test wants to see.
 */
final class NamespaceNetwork implements MemberNetwork {

  private static final String NAME_PREFIX = "wst";
  private static final String NOBODY = "02:00:00:00:00:01";
  private static final int TEST_HOST = 254;
  private static final int SUBNETS = 250;

  private final String name;
  private final String subnet;
  private final Map<MemberHost, String> namespaces = new LinkedHashMap<>();
  private final List<Cut> cuts = new ArrayList<>();
  private final Thread orphanGuard = new Thread(this::remove, "network-guard");
  private boolean removed;

  /** One side of a cut. */
  private record Cut(String namespace, String address) {}

  private NamespaceNetwork(String name, String subnet) {
    this.name = name;
    this.subnet = subnet;
  }

  /** One thread at a time, as in {@link #open()}: tests may run beside each other. */
  static synchronized boolean available() {
    // Asked by doing it: a user who is root in a container may still lack the right.
    String probe = NAME_PREFIX + "p" + ProcessHandle.current().pid();
    if (!SystemCommand.succeeds("ip", "netns", "add", probe)) {
      return false;
    }
    boolean linked = SystemCommand.succeeds("ip", "-n", probe, "link", "set", "lo", "up");
    return SystemCommand.succeeds("ip", "netns", "del", probe) && linked;
  }

  static synchronized NamespaceNetwork open() {
    removeLeftovers();
    int number = freeSubnet();
    // The name of an interface has at most 15 characters.
    String name = NAME_PREFIX + ProcessHandle.current().pid() + "n" + number;
    NamespaceNetwork network = new NamespaceNetwork(name, "10.213." + number + ".");
    Runtime.getRuntime().addShutdownHook(network.orphanGuard);
    ip("link", "add", name, "type", "bridge");
    ip("addr", "add", network.subnet + TEST_HOST + "/24", "dev", name);
    ip("link", "set", name, "up");
    return network;
  }

  /** One that no other test on this machine uses at the moment. */
  private static int freeSubnet() {
    String taken = SystemCommand.run("ip", "-4", "-o", "addr");
    int first = ThreadLocalRandom.current().nextInt(SUBNETS);
    for (int i = 0; i < SUBNETS; i++) {
      int number = (first + i) % SUBNETS;
      if (!taken.contains(" 10.213." + number + ".")) {
        return number;
      }
    }
    throw new IllegalStateException("no free subnet in 10.213.0.0/16");
  }

  /** A test that was itself killed could not clean up. */
  private static void removeLeftovers() {
    for (String line : SystemCommand.run("ip", "netns", "list").lines().toList()) {
      String namespace = line.split(" ", 2)[0];
      if (ownerIsGone(namespace)) {
        SystemCommand.succeeds("ip", "netns", "del", namespace);
      }
    }
    for (String line :
        SystemCommand.run("ip", "-o", "link", "show", "type", "bridge").lines().toList()) {
      String bridge = line.split(":", 3)[1].strip();
      if (ownerIsGone(bridge)) {
        SystemCommand.succeeds("ip", "link", "del", bridge);
      }
    }
  }

  private static boolean ownerIsGone(String name) {
    if (!name.matches(NAME_PREFIX + "\\d+n\\d+.*")) {
      return false;
    }
    long pid = Long.parseLong(name.substring(NAME_PREFIX.length(), name.indexOf('n')));
    return ProcessHandle.of(pid).isEmpty();
  }

  @Override
  public MemberHost addHost() {
    int number = namespaces.size() + 1;
    String namespace = name + "h" + number;
    String address = subnet + number;
    String link = "wsv" + address.substring("10.213.".length());
    MemberHost host = new MemberHost(address, List.of("ip", "netns", "exec", namespace));
    namespaces.put(host, namespace);
    ip("netns", "add", namespace);
    ip("link", "add", link, "type", "veth", "peer", "name", "eth0", "netns", namespace);
    ip("link", "set", link, "master", name, "up");
    ip("-n", namespace, "addr", "add", address + "/24", "dev", "eth0");
    ip("-n", namespace, "link", "set", "eth0", "up");
    ip("-n", namespace, "link", "set", "lo", "up");
    return host;
  }

  @Override
  public boolean cuttable() {
    return true;
  }

  @Override
  public void cut(MemberHost one, MemberHost other) {
    cutOneWay(one, other);
    cutOneWay(other, one);
  }

  private void cutOneWay(MemberHost from, MemberHost to) {
    Cut cut = new Cut(namespaces.get(from), to.address());
    cuts.add(cut);
    ip(
        "-n",
        cut.namespace(),
        "neigh",
        "replace",
        cut.address(),
        "lladdr",
        NOBODY,
        "nud",
        "permanent",
        "dev",
        "eth0");
  }

  @Override
  public void heal() {
    for (Cut cut : cuts) {
      ip("-n", cut.namespace(), "neigh", "del", cut.address(), "dev", "eth0");
    }
    cuts.clear();
  }

  @Override
  public void close() {
    remove();
    try {
      Runtime.getRuntime().removeShutdownHook(orphanGuard);
    } catch (IllegalStateException shuttingDown) {
      // The hooks are running; nothing to release.
    }
  }

  private synchronized void remove() {
    if (removed) {
      return;
    }
    removed = true;
    // As far as it goes: what is missing was never made.
    namespaces.values().forEach(each -> SystemCommand.succeeds("ip", "netns", "del", each));
    SystemCommand.succeeds("ip", "link", "del", name);
  }

  private static void ip(String... words) {
    String[] command = new String[words.length + 1];
    command[0] = "ip";
    System.arraycopy(words, 0, command, 1, words.length);
    SystemCommand.run(command);
  }
}
