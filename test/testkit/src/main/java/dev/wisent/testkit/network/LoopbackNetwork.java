package dev.wisent.testkit.network;

/** All members on this machine's loopback address: needs no rights, but nothing can be cut. */
final class LoopbackNetwork implements MemberNetwork {

  @Override
  public MemberHost addHost() {
    return MemberHost.LOOPBACK;
  }

  @Override
  public boolean cuttable() {
    return false;
  }

  @Override
  public void cut(MemberHost one, MemberHost other) {
    throw new UnsupportedOperationException("hosts on loopback cannot be cut off");
  }

  @Override
  public void heal() {
    // Nothing was cut.
  }

  @Override
  public void close() {
    // Nothing to remove.
  }
}
