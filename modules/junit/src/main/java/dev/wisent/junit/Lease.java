package dev.wisent.junit;

import dev.wisent.Wisent;
import dev.wisent.base.CommandException;
import java.util.Optional;

/** The servers of one test class for as long as it runs. */
final class Lease implements AutoCloseable {
  private final ServerPool pool;
  private final ServerPlan plan;
  private final WisentTest annotation;
  private final Wisent servers;
  private Object client; // guarded by this; null before it is asked for
  private boolean broken;

  private Lease(ServerPool pool, ServerPlan plan, WisentTest annotation, Wisent servers) {
    this.pool = pool;
    this.plan = plan;
    this.annotation = annotation;
    this.servers = servers;
  }

  /** Of servers that are empty. */
  static Lease take(ServerPool pool, ServerPlan plan, WisentTest annotation) {
    if (!annotation.shared()) {
      return new Lease(pool, plan, annotation, plan.start());
    }
    Optional<Wisent> idle = pool.takeIdle(plan);
    while (idle.isPresent()) {
      var lease = new Lease(pool, plan, annotation, idle.get());
      try {
        lease.reset();
        return lease;
      } catch (CommandException e) {
        lease.close(); // the class before has stopped them
      }
      idle = pool.takeIdle(plan);
    }
    return new Lease(pool, plan, annotation, pool.start(plan));
  }

  private void reset() {
    broken = true;
    servers.reset();
    broken = false;
  }

  void beforeTest() {
    if (annotation.reset() == ResetMode.EACH_TEST) {
      reset();
    }
  }

  Wisent servers() {
    return servers;
  }

  synchronized Object client() {
    if (client == null) {
      client = DriverClients.create(servers.uri());
    }
    return client;
  }

  private synchronized void closeClient() {
    if (client != null) {
      DriverClients.close(client);
      client = null;
    }
  }

  @Override
  public void close() {
    closeClient();
    if (!annotation.shared()) {
      servers.close();
    } else if (broken) {
      pool.discard(servers);
    } else {
      pool.giveBack(plan, servers);
    }
  }
}
