package dev.wisent.tools;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.wisent.Wisent;
import java.util.function.Supplier;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Two deployments of a test class: one with the sample data, in {@code shop}, and an empty one. */
final class ServerPair implements BeforeAllCallback, AfterAllCallback {
  private final Supplier<Wisent> startSource;
  private final Supplier<Wisent> startTarget;
  private Wisent source;
  private Wisent target;
  private MongoClient from;
  private MongoClient to;

  ServerPair(Supplier<Wisent> startSource, Supplier<Wisent> startTarget) {
    this.startSource = startSource;
    this.startTarget = startTarget;
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    source = startSource.get();
    target = startTarget.get();
    from = MongoClients.create(source.uri());
    to = MongoClients.create(target.uri());
    SampleData.fill(from, "shop");
  }

  @Override
  public void afterAll(ExtensionContext context) {
    from.close();
    to.close();
    source.close();
    target.close();
  }

  Wisent source() {
    return source;
  }

  Wisent target() {
    return target;
  }

  /** A client of the source. */
  MongoClient from() {
    return from;
  }

  /** A client of the target. */
  MongoClient to() {
    return to;
  }
}
