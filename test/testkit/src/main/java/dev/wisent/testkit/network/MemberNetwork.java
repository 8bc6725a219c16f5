package dev.wisent.testkit.network;

/** Connects hosts of members with each other and with the test. Closing it removes the hosts. */
public interface MemberNetwork extends AutoCloseable {

  /** The best network that this machine and this user allow. */
  static MemberNetwork open() {
    return NamespaceNetwork.available() ? NamespaceNetwork.open() : new LoopbackNetwork();
  }

  /** A host for one more member. */
  MemberHost addHost();

  /** Whether {@link #cut} is possible here. */
  boolean cuttable();

  /**
   * Makes all packets between two hosts vanish, both ways, until {@link #heal()}. The test itself
   * still reaches both.
   */
  void cut(MemberHost one, MemberHost other);

  /** Lets all packets through again. */
  void heal();

  @Override
  void close();
}
