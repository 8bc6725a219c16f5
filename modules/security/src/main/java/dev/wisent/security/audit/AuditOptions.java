package dev.wisent.security.audit;

import dev.wisent.bson.RawDocument;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;

/**
 * Where an audit log goes.
 *
 * @param path the file; only for {@link Destination#FILE}
 * @param filter a query that an event has to match; empty to record all
 */
public record AuditOptions(
    Destination destination, Optional<Path> path, Optional<RawDocument> filter) {
  public static final AuditOptions OFF =
      new AuditOptions(Destination.NONE, Optional.empty(), Optional.empty());

  /** By the names of {@code --auditDestination}. */
  public enum Destination {
    NONE("none"),
    FILE("file"),
    CONSOLE("console");

    private final String text;

    Destination(String text) {
      this.text = text;
    }

    @Override
    public String toString() {
      return text;
    }
  }

  public AuditOptions {
    Objects.requireNonNull(filter);
    if (path.isPresent() != (destination == Destination.FILE)) {
      throw new IllegalArgumentException("an audit log on " + destination + " at " + path);
    }
  }

  public static AuditOptions toFile(Path path, Optional<RawDocument> filter) {
    return new AuditOptions(Destination.FILE, Optional.of(path), filter);
  }

  public static AuditOptions toConsole(Optional<RawDocument> filter) {
    return new AuditOptions(Destination.CONSOLE, Optional.empty(), filter);
  }

  public boolean isOn() {
    return destination != Destination.NONE;
  }
}
