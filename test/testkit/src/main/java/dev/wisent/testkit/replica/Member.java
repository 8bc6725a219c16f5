package dev.wisent.testkit.replica;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.wisent.testkit.Eventually;
import dev.wisent.testkit.ProcessOptions;
import dev.wisent.testkit.ServerProcess;
import dev.wisent.testkit.network.MemberHost;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.bson.Document;

/** A member of a replica set: a data directory and an address, with or without a process. */
public final class Member implements AutoCloseable {

  private static final int SELECTION_TIMEOUT_SECONDS = 15;
  private static final int READ_TIMEOUT_SECONDS = 30;

  private final int id;
  private ProcessOptions options;
  private ServerProcess process;
  private MongoClient direct;
  private boolean paused;

  Member(int id, ProcessOptions options) {
    this.id = id;
    this.options = options;
  }

  /** Its {@code _id} in the configuration. */
  public int id() {
    return id;
  }

  /** {@code host:port}, as in the configuration. */
  public String address() {
    return options.host().address() + ":" + options.port();
  }

  MemberHost host() {
    return options.host();
  }

  public ProcessOptions options() {
    return options;
  }

  /** Starts the process and returns at once. */
  void launch() {
    process = ServerProcess.launch(options);
    paused = false;
  }

  /** Waits until it answers a ping. */
  void awaitReady() {
    process.awaitReady();
  }

  /** Starts it on the data that it has, and waits until it answers. */
  public void start() {
    launch();
    awaitReady();
  }

  /** Where it will be from the next start on, which is not where the set knows it. */
  public synchronized void move(int port, String... arguments) {
    options = options.withPort(port).withArguments(arguments);
    if (direct != null) {
      direct.close();
      direct = null;
    }
  }

  public boolean running() {
    return process != null && process.alive();
  }

  /** Of its process. */
  public long pid() {
    return process.pid();
  }

  /** SIGKILL. */
  public void kill() {
    process.kill();
  }

  /** SIGTERM, and wait for the end. Returns the exit code. */
  public int terminate() {
    return process.terminate();
  }

  /** SIGSTOP. */
  public void pause() {
    process.pause();
    paused = true;
  }

  /** SIGCONT. */
  public void resume() {
    process.resume();
    paused = false;
  }

  public boolean paused() {
    return paused;
  }

  /** The last lines that it wrote. */
  public String logTail() {
    return process == null ? "(never started)" : process.logTail();
  }

  /** A connection string for this member alone, whatever its state. */
  public String directUri() {
    return "mongodb://" + address() + "/?directConnection=true&readPreference=secondaryPreferred";
  }

  /** A client that talks to this member alone, whatever its state. It lives as long as the set. */
  public synchronized MongoClient direct() {
    if (direct == null) {
      direct =
          MongoClients.create(
              options
                  .clients()
                  .apply(
                      MongoClientSettings.builder()
                          .applyConnectionString(new ConnectionString(directUri())))
                  .applyToClusterSettings(
                      b -> b.serverSelectionTimeout(SELECTION_TIMEOUT_SECONDS, TimeUnit.SECONDS))
                  .applyToSocketSettings(b -> b.readTimeout(READ_TIMEOUT_SECONDS, TimeUnit.SECONDS))
                  .build());
    }
    return direct;
  }

  /** Runs a command of the admin database on this member. */
  public Document admin(Document command) {
    return direct().getDatabase("admin").runCommand(command);
  }

  /** Runs a command without arguments. */
  public Document admin(String command) {
    return admin(new Document(command, 1));
  }

  /** What it says about itself. */
  public Document hello() {
    return admin("hello");
  }

  /** Ends the process, paused or not, and the connections to it. */
  /** Whether it says that it serves reads, or is an arbiter; a starting one does neither. */
  private boolean readable() {
    if (!running() || paused()) {
      return false;
    }
    try {
      Document hello = hello();
      return hello.getBoolean("isWritablePrimary", false)
          || hello.getBoolean("secondary", false)
          || hello.getBoolean("arbiterOnly", false);
    } catch (MongoException unreachable) {
      return false;
    }
  }

  /** Waits until every one of them is a primary, a secondary or an arbiter. */
  static void awaitReadable(List<Member> members, Duration patience) {
    for (Member member : members) {
      Eventually.holds("member " + member.address() + " serves reads", patience, member::readable);
    }
  }

  @Override
  public void close() {
    if (direct != null) {
      direct.close();
    }
    if (running()) {
      // Not asked to stop: three orderly shutdowns would be the longest part of most tests.
      process.kill();
    }
  }
}
