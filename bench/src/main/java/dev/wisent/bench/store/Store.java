package dev.wisent.bench.store;

/** One target seen from its clients. */
public interface Store extends AutoCloseable {
  /** Name and version of the server. */
  String version();

  /** Creates an empty collection, dropping one of that name first. */
  void create(CollectionSpec spec);

  void drop(String collection);

  /** Called once after a load, for what an operator would do then (statistics). */
  void afterLoad(String collection);

  /** Opens a client; its writes wait for the given durability. */
  Session session(Durability durability);

  @Override
  void close();
}
