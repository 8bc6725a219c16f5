package dev.wisent.server.transport;

/** The byte stream of a connection cannot be cut into messages any further. */
final class MalformedFrameException extends Exception {
  private static final long serialVersionUID = 1;

  private final int announcedLength;
  private final ForeignProtocol protocol;

  MalformedFrameException(String reason, int announcedLength) {
    this(reason, announcedLength, null);
  }

  MalformedFrameException(ForeignProtocol protocol) {
    this("the client speaks " + protocol, 0, protocol);
  }

  private MalformedFrameException(String reason, int announcedLength, ForeignProtocol protocol) {
    super(reason, null, false, false);
    this.announcedLength = announcedLength;
    this.protocol = protocol;
  }

  /** The same for the first bytes of a connection, which may show what the client speaks. */
  MalformedFrameException recognised() {
    ForeignProtocol spoken =
        protocol == null ? ForeignProtocol.ofImpossibleLength(announcedLength) : protocol;
    return new MalformedFrameException(getMessage(), announcedLength, spoken);
  }

  /** What the client speaks instead; null if that is not known. */
  ForeignProtocol protocol() {
    return protocol;
  }
}
